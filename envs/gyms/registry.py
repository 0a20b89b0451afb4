"""The gyms by name."""

from __future__ import annotations

from envs.gyms.billing.gym import GYM as BILLING
from envs.gyms.desktop.gym import DesktopGym
from envs.gyms.drive.gym import GYM as DRIVE
from envs.gyms.gym import Gym, WebGym
from envs.gyms.kit.gym import AppGym
from envs.gyms.kit.here import App
from envs.gyms.shop.gym import Shop

_WEB: dict[str, WebGym] = {gym.name: gym for gym in (Shop(), BILLING, DRIVE)}
_GYMS: dict[str, Gym] = {**_WEB, DesktopGym.name: DesktopGym()}


def get_gym(name: str) -> Gym:
    """Raises KeyError with the known names."""
    gym = _GYMS.get(name)
    if gym is None:
        raise KeyError(f"there is no gym {name!r}; there are: {', '.join(_GYMS)}")
    return gym


def get_web_gym(name: str) -> WebGym:
    """Raises KeyError with the known names."""
    gym = _WEB.get(name)
    if gym is None:
        raise KeyError(f"there is no gym {name!r}; there are: {', '.join(_WEB)}")
    return gym


def web_gyms() -> dict[str, WebGym]:
    """Those that the gym server serves."""
    return dict(_WEB)


def apps_of(name: str) -> tuple[App, ...]:
    """The kit's apps that a gym serves; none for other gyms."""
    gym = _WEB.get(name)
    return gym.apps if isinstance(gym, AppGym) else ()
