"""Send a release to the Hugging Face Hub, as a dataset repository with a tag for each version.

Nothing is sent that is not in the manifest, byte for byte. The token is the one that ``huggingface_hub`` finds itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from kumoc.benchmark import VIEWS
from kumoc.release.errors import BuildError
from kumoc.release.fresh import release_name
from kumoc.release.intact import listed_files, read_intact
from kumoc.release.manifest import MANIFEST_NAME

if TYPE_CHECKING:
    from huggingface_hub import HfApi

_REPOSITORY = re.compile(r"\w[\w.-]*/\w[\w.-]*", re.ASCII)

REPLACED = (*(f"{view}-*/*.parquet" for view in VIEWS), "tables/*.json")
"""Files of an earlier version that are taken from the repository's branch; that version's tag keeps them."""


@dataclass(frozen=True, slots=True)
class Parcel:
    """What would be sent, and where to: files as (path in the release, bytes), the manifest last.

    ``secret``: it is a private split.
    """

    release: Path
    repository: str
    title: str
    tag: str
    files: tuple[tuple[str, int], ...]
    secret: bool


def pack(release: Path, repository: str) -> Parcel:
    """The parcel that a release on disk makes for ``OWNER/NAME``. Raises BuildError if it is no release or damaged."""
    if not _REPOSITORY.fullmatch(repository):
        raise BuildError(f"'{repository}' can't name a repository", "give it as OWNER/NAME")
    manifest = read_intact(release)
    benchmark, fresh = manifest["benchmark"], manifest["inputs"]["fresh"]
    name = release_name(benchmark["version"], fresh and fresh["label"])
    files = [(file["path"], file["bytes"]) for file in listed_files(manifest)]
    files.append((MANIFEST_NAME, (release / MANIFEST_NAME).stat().st_size))
    title = f"{benchmark['name']} {name}"
    return Parcel(release, repository, title, f"v{name}", tuple(files), secret=manifest["commitment"] is not None)


def send(parcel: Parcel, *, private: bool) -> str:
    """Upload a parcel and tag it; where it can be seen. The repository is made if there is none.

    Raises BuildError if the tag exists, if a public repository would get what is meant to be private, and with what
    the Hub says when it refuses or can't be reached.
    """
    try:
        from huggingface_hub import HfApi  # noqa: PLC0415 - an extra, and slow to load
    except ImportError as error:
        raise BuildError("publishing needs huggingface_hub", "pip install 'kumoc[data]'") from error
    hub = HfApi(library_name="kumoc")
    with _explained():
        _prepare(hub, parcel, private=private)
        commit = hub.upload_folder(
            repo_id=parcel.repository,
            repo_type="dataset",
            folder_path=parcel.release,
            allow_patterns=[path for path, _ in parcel.files],
            delete_patterns=list(REPLACED),
            commit_message=parcel.title,
        )
        hub.create_tag(
            parcel.repository, repo_type="dataset", tag=parcel.tag, tag_message=parcel.title, revision=commit.oid
        )
    return f"{hub.endpoint}/datasets/{parcel.repository}/tree/{parcel.tag}"


def _prepare(hub: HfApi, parcel: Parcel, *, private: bool) -> None:
    """Make the repository, or see that it may receive the parcel."""
    from huggingface_hub.errors import RepositoryNotFoundError  # noqa: PLC0415

    try:
        found = hub.dataset_info(parcel.repository)
    except RepositoryNotFoundError:
        hub.create_repo(parcel.repository, repo_type="dataset", private=private)
        return
    if private and not found.private:
        raise BuildError(
            f"{parcel.repository} is there already and public", "choose another repository, or make it private"
        )
    if any(tag.name == parcel.tag for tag in hub.list_repo_refs(parcel.repository, repo_type="dataset").tags):
        help_ = "what was published under a version stays as it is: raise the benchmark's version"
        raise BuildError(f"{parcel.repository} has the tag {parcel.tag} already", help_)


@contextmanager
def _explained() -> Iterator[None]:
    """Turn what the Hub or the network says into BuildError."""
    from huggingface_hub import errors  # noqa: PLC0415

    # the base of all errors of the HTTP library that huggingface_hub uses, which is not the same one in all versions
    http_error: type[Exception] = errors.HTTPError  # type: ignore[attr-defined]

    try:
        yield
    except errors.HfHubHTTPError as error:
        status = error.response.status_code
        help_ = "log in with `hf auth login`, with a token that may write there" if status in (401, 403) else ""
        raise BuildError(f"the Hub refused: {_in_one_line(error)}", help_) from error
    except (http_error, OSError, ValueError, KeyError) as error:
        raise BuildError(f"the Hub can't be reached, or answers nonsense: {_in_one_line(error)}") from error


def _in_one_line(error: Exception) -> str:
    return " ".join(str(error).split()) or type(error).__name__
