# Redis 7 from Debian's packages, for machines that cannot pull redis:7-bookworm.
FROM debian:bookworm-slim
RUN apt-get update -qq \
 && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends redis-server \
 && rm -rf /var/lib/apt/lists/* && mkdir -p /data && chown redis:redis /data
USER redis
WORKDIR /data
VOLUME /data
CMD ["redis-server", "--bind", "0.0.0.0"]
