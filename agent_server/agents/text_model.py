"""A model at any OpenAI-compatible endpoint that is asked for text, outside of an episode: by a
judge, or by a writer of feedback.

Guarantees: a question is answered or refused within `timeout_s` plus `patience_s`; the key is in
no message.
"""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field, model_validator

from agent_server.agents.config import CompactChat
from agent_server.agents.endpoint import EndpointClient, Json, Patience, Unreadable


class TextModelConfig(BaseModel):
    """Where the model is, and how it answers."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    base_url: str = Field(description="up to and with /v1, e.g. http://127.0.0.1:8000/v1")
    model: str = Field(min_length=1, description="name of the model at the endpoint")
    api_key_env: str | None = Field(
        None, description="environment variable that holds the key; none: no key is sent"
    )
    timeout_s: float = Field(60.0, gt=0, le=600, description="longest wait for one answer")
    patience_s: float = Field(
        10.0, ge=0, le=600, description="of one question for rate limits and failing servers"
    )
    max_tokens: int = Field(400, ge=1, le=65_536, description="longest answer")
    temperature: float = Field(0.0, ge=0, le=2, description="0: the likeliest answer")

    @model_validator(mode="after")
    def _check_address(self) -> TextModelConfig:
        self.make_spec()
        return self

    def make_spec(self) -> CompactChat:
        """The same for the client of endpoints, of whose dialect only address, key and waits are
        read. Raises pydantic.ValidationError for an address that is no URL."""
        own = self.model_dump(exclude={"max_tokens", "temperature"})
        return CompactChat(dialect="compact", **own)


class TextModel:
    """Asks one question at a time of a shared client; used on one loop."""

    def __init__(self, config: TextModelConfig) -> None:
        self.config = config
        self._client = EndpointClient(config.make_spec(), {})

    async def ask(self, system: str, question: str) -> str:
        """The answer's text. Raises EpisodeFault, as an agent's endpoint does."""
        config = self.config
        body: Json = {
            "model": config.model,
            "max_tokens": config.max_tokens,
            "temperature": config.temperature,
            "messages": [
                {"role": "system", "content": system},
                {"role": "user", "content": question},
            ],
        }
        patience = Patience(config.patience_s)
        return await self._client.post_until_read("chat/completions", body, _read_text, patience)

    async def close(self) -> None:
        """Close the connections."""
        await self._client.close()


def _read_text(reply: Json) -> str:
    """Raises Unreadable."""
    try:
        content = reply["choices"][0]["message"]["content"]
    except (KeyError, IndexError, TypeError):
        raise Unreadable("answered without a message") from None
    if not isinstance(content, str):
        raise Unreadable("answered a message without text")
    return content
