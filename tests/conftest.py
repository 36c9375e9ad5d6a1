"""What all tests share: the project's folder, and the tiers."""

from __future__ import annotations

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="session")
def root() -> Path:
    """The folder of the project."""
    return ROOT


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Everything in tests/e2e is a browser test, marked or not."""
    for item in items:
        if (ROOT / "tests" / "e2e") in item.path.parents:
            item.add_marker(pytest.mark.e2e)
