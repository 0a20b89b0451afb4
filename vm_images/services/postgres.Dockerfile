# PostgreSQL 15 from Debian's packages, for machines that cannot pull postgres:15-bookworm. It reads the
# variables of that image that docker-compose.yml sets, and keeps its data in the same place.
FROM debian:bookworm-slim
RUN apt-get update -qq \
 && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends postgresql-15 \
 && rm -rf /var/lib/apt/lists/* /var/lib/postgresql/* \
 && mkdir -p /var/lib/postgresql/data && chown postgres:postgres /var/lib/postgresql /var/lib/postgresql/data
ENV PATH=/usr/lib/postgresql/15/bin:/usr/local/bin:/usr/bin:/bin PGDATA=/var/lib/postgresql/data/pgdata
COPY postgres.sh /usr/local/bin/start-postgres
USER postgres
VOLUME /var/lib/postgresql/data
CMD ["start-postgres"]
