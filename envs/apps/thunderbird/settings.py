"""Tools for Thunderbird's filters, address book, preferences and accounts.

Guarantees: each works in the running Thunderbird, which writes its own files; what is set is read
back before the tool says so.
"""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from envs.apps.thunderbird.client import run
from envs.apps.thunderbird.mail import CALL_S, FOLDERS
from envs.contract.actions import ActionError
from envs.contract.tools import ToolError, Toolset
from envs.desktop.desktop import Desktop

TOOLS = Toolset("desktop")


_FILTER_WORDS = """
  const list = MailServices.accounts.localFoldersServer.getFilterList(null);
  const ATTRIBUTES = {subject: Ci.nsMsgSearchAttrib.Subject, from: Ci.nsMsgSearchAttrib.Sender,
    to: Ci.nsMsgSearchAttrib.To, cc: Ci.nsMsgSearchAttrib.CC, body: Ci.nsMsgSearchAttrib.Body,
    to_or_cc: Ci.nsMsgSearchAttrib.ToOrCC};
  const OPERATORS = {contains: Ci.nsMsgSearchOp.Contains, is: Ci.nsMsgSearchOp.Is,
    contains_not: Ci.nsMsgSearchOp.DoesntContain, is_not: Ci.nsMsgSearchOp.Isnt,
    begins_with: Ci.nsMsgSearchOp.BeginsWith, ends_with: Ci.nsMsgSearchOp.EndsWith};
  const word = (table, number) => Object.keys(table).find((k) => table[k] === number)
    ?? String(number);
  const A = Ci.nsMsgFilterAction;
  const ACTIONS = {move: A.MoveToFolder, copy: A.CopyToFolder, delete: A.Delete,
    mark_read: A.MarkRead, star: A.MarkFlagged, tag: A.AddTag, stop: A.StopExecution};
  const show = (f) => ({name: f.filterName, enabled: f.enabled,
    match: f.searchTerms[0]?.booleanAnd ? 'all' : 'any',
    conditions: f.searchTerms.map((t) => ({field: word(ATTRIBUTES, t.attrib),
      test: word(OPERATORS, t.op), text: t.value.str ?? ''})),
    actions: Array.from({length: f.actionCount}, (_, i) => f.getActionAt(i)).map((a) => ({
      action: word(ACTIONS, a.type), value: [ACTIONS.move, ACTIONS.copy].includes(a.type)
        ? nameOf(MailServices.folderLookup.getFolderForURL(a.targetFolderUri) ?? root)
        : a.type === ACTIONS.tag ? MailServices.tags.getTagForKey(a.strValue) : null}))});
  const filters = () => Array.from({length: list.filterCount}, (_, i) => list.getFilterAt(i));
"""
_FILTERS = FOLDERS + _FILTER_WORDS + "return filters().map(show);"
_ADD_FILTER = (
    FOLDERS
    + _FILTER_WORDS
    + """
  const [name, conditions, actions, all_of] = v;
  if (filters().some((f) => f.filterName === name)) throw `there is a filter ${name} already`;
  const made = list.createFilter(name);
  made.filterType = Ci.nsMsgFilterType.InboxRule | Ci.nsMsgFilterType.Manual;
  made.enabled = true;
  for (const c of conditions) {
    const term = made.createTerm();
    term.attrib = ATTRIBUTES[c.field];
    term.op = OPERATORS[c.test];
    term.booleanAnd = all_of;
    const value = term.value;
    value.attrib = term.attrib;
    value.str = c.text;
    term.value = value;
    made.appendTerm(term);
  }
  for (const a of actions) {
    const action = made.createAction();
    action.type = ACTIONS[a.action];
    if (a.action === 'move' || a.action === 'copy') action.targetFolderUri = find(a.value).URI;
    if (a.action === 'tag') {
      const tag = MailServices.tags.getAllTags().find((t) => t.tag === a.value);
      if (!tag) throw `there is no tag ${a.value}`;
      action.strValue = tag.key;
    }
    made.appendAction(action);
  }
  list.insertFilterAt(list.filterCount, made);
  list.saveToDefaultFile();
  return show(filters().at(-1));
"""
)
_REMOVE_FILTER = (
    FOLDERS
    + _FILTER_WORDS
    + """
  const filter = filters().find((f) => f.filterName === v[0]);
  if (!filter) throw `there is no filter ${JSON.stringify(v[0])}; there are: `
    + filters().map((f) => f.filterName).join(', ');
  list.removeFilter(filter);
  list.saveToDefaultFile();
"""
)
_RUN_FILTERS = (
    FOLDERS
    + _FILTER_WORDS
    + """
  const folder = find(v[0]);
  const chosen = MailServices.filters.getTempFilterList(folder);
  filters().filter((f) => f.enabled).forEach((f, i) => chosen.insertFilterAt(i, f));
  await new Promise((done) => MailServices.filters.applyFiltersToFolders(chosen, [folder], null,
    {QueryInterface: ChromeUtils.generateQI(['nsIMsgOperationListener']),
     onStopOperation: () => done()}));
"""
)
_BOOK = """
  const {MailServices} = ChromeUtils.importESModule('resource:///modules/MailServices.sys.mjs');
  const books = MailServices.ab.directories;
  const show = (c, b) => ({contact: c.UID, name: c.displayName, email: c.primaryEmail,
    book: b.dirName});
  const everyone = () => books.flatMap((b) => b.childCards.filter((c) => !c.isMailList)
    .map((c) => show(c, b)));
"""
_CONTACTS = (
    _BOOK
    + """
  const words = v[0].toLowerCase();
  return everyone().filter((c) => `${c.name} ${c.email}`.toLowerCase().includes(words));
"""
)
_ADD_CONTACT = (
    _BOOK
    + """
  const [name, address, first, last, title] = v;
  const book = books.find((b) => b.dirName === title);
  if (!book) throw `there is no address book ${JSON.stringify(title)}; there are: `
    + books.map((b) => b.dirName).join(', ');
  const card = Cc['@mozilla.org/addressbook/cardproperty;1'].createInstance(Ci.nsIAbCard);
  card.displayName = name;
  card.primaryEmail = address;
  card.firstName = first;
  card.lastName = last;
  return show(book.addCard(card), book);
"""
)
_REMOVE_CONTACT = (
    _BOOK
    + """
  for (const b of books) for (const c of b.childCards) if (c.UID === v[0]) {
    b.deleteCards([c]);
    return show(c, b);
  }
  throw 'there is no such contact; list them with thunderbird.contacts';
"""
)
_PREF = """
  const P = Services.prefs, [key] = v;
  const kind = P.getPrefType(key);
  if (kind === P.PREF_BOOL) return P.getBoolPref(key);
  if (kind === P.PREF_INT) return P.getIntPref(key);
  return kind === P.PREF_STRING ? P.getStringPref(key) : null;
"""
_SET_PREF = """
  const P = Services.prefs, [key, value] = v;
  const kinds = {[P.PREF_BOOL]: 'boolean', [P.PREF_INT]: 'number', [P.PREF_STRING]: 'string'};
  const kind = kinds[P.getPrefType(key)] ?? typeof value;
  if (kind !== typeof value) throw `${key} is a ${kind}`;
  if (kind === 'boolean') P.setBoolPref(key, value);
  else if (kind === 'number') P.setIntPref(key, value);
  else P.setStringPref(key, value);
  P.savePrefFile(null);
"""
_ACCOUNTS = """
  const {MailServices} = ChromeUtils.importESModule('resource:///modules/MailServices.sys.mjs');
  return MailServices.accounts.accounts.map((a) => ({account: a.key,
    name: a.incomingServer.prettyName, type: a.incomingServer.type,
    server: a.incomingServer.hostName ?? a.incomingServer.hostname ?? '',
    identities: a.identities.map((i) => ({identity: i.key,
      name: i.fullName, email: i.email, organization: i.organization, reply_to: i.replyTo,
      signature: i.htmlSigText, html: i.composeHtml}))}));
"""
_IDENTITY = """
  const {MailServices} = ChromeUtils.importESModule('resource:///modules/MailServices.sys.mjs');
  const [key, changes] = v;
  const identity = MailServices.accounts.allIdentities.find((i) => i.key === key);
  if (!identity) throw `there is no identity ${JSON.stringify(key)}; there are: `
    + MailServices.accounts.allIdentities.map((i) => i.key).join(', ');
  const NAMES = {name: 'fullName', email: 'email', organization: 'organization',
    reply_to: 'replyTo', signature: 'htmlSigText', html: 'composeHtml'};
  for (const [name, value] of Object.entries(changes)) identity[NAMES[name]] = value;
  Services.prefs.savePrefFile(null);
"""


class Condition(BaseModel):
    model_config = ConfigDict(extra="forbid")
    field: Literal["subject", "from", "to", "cc", "to_or_cc", "body"]
    test: Literal["contains", "contains_not", "is", "is_not", "begins_with", "ends_with"]
    text: str


class FilterAction(BaseModel):
    """`value`: the folder of move and copy, the tag of tag."""

    model_config = ConfigDict(extra="forbid")
    action: Literal["move", "copy", "delete", "mark_read", "star", "tag", "stop"]
    value: str | None = None


@TOOLS.tool("thunderbird.filters", timeout_s=CALL_S)
async def filters(desktop: Desktop) -> list[dict[str, Any]]:
    """Lists the message filters of Local Folders."""
    reply: list[dict[str, Any]] = await run(desktop, _FILTERS)
    return reply


@TOOLS.tool("thunderbird.add_filter", timeout_s=CALL_S)
async def add_filter(
    desktop: Desktop,
    filter_name: str,
    conditions: list[Condition],
    actions: list[FilterAction],
    match: Literal["all", "any"] = "all",
) -> dict[str, Any]:
    """Adds a message filter that acts on messages which meet all, or any, of the conditions."""
    if not conditions or not actions or not filter_name.strip():
        raise ToolError(ActionError.BAD_VALUE, "a filter needs a name, a condition and an action")
    for action in actions:
        if (action.value is None) == (action.action in ("move", "copy", "tag")):
            message = "move and copy want a folder as value, tag a tag, the others no value"
            raise ToolError(ActionError.BAD_VALUE, message)
    reply: dict[str, Any] = await run(
        desktop,
        _ADD_FILTER,
        filter_name,
        [c.model_dump() for c in conditions],
        [a.model_dump() for a in actions],
        match == "all",
    )
    return reply


@TOOLS.tool("thunderbird.remove_filter", timeout_s=CALL_S)
async def remove_filter(desktop: Desktop, filter_name: str) -> str:
    """Removes a message filter by its name."""
    await run(desktop, _REMOVE_FILTER, filter_name)
    return f"removed the filter {filter_name}"


@TOOLS.tool("thunderbird.run_filters", timeout_s=CALL_S)
async def run_filters(desktop: Desktop, folder: str = "Inbox") -> str:
    """Runs the enabled message filters on a folder now."""
    await run(desktop, _RUN_FILTERS, folder)
    return f"the filters ran on {folder}"


@TOOLS.tool("thunderbird.contacts", timeout_s=CALL_S)
async def contacts(desktop: Desktop, text: str = "") -> list[dict[str, Any]]:
    """Contacts of all address books whose name or address contains a text."""
    reply: list[dict[str, Any]] = await run(desktop, _CONTACTS, text)
    return reply


@TOOLS.tool("thunderbird.add_contact", timeout_s=CALL_S)
async def add_contact(
    desktop: Desktop,
    display_name: str,
    email: str,
    first_name: str = "",
    last_name: str = "",
    book: str = "Personal Address Book",
) -> dict[str, Any]:
    """Adds a contact to an address book."""
    if "@" not in email:
        raise ToolError(ActionError.BAD_VALUE, f"{email[:60]!r} is not an e-mail address")
    reply: dict[str, Any] = await run(
        desktop, _ADD_CONTACT, display_name, email, first_name, last_name, book
    )
    return reply


@TOOLS.tool("thunderbird.remove_contact", timeout_s=CALL_S)
async def remove_contact(desktop: Desktop, contact: str) -> dict[str, Any]:
    """Removes a contact by the id that thunderbird.contacts shows."""
    reply: dict[str, Any] = await run(desktop, _REMOVE_CONTACT, contact)
    return reply


@TOOLS.tool("thunderbird.get_preference", timeout_s=CALL_S)
async def get_preference(desktop: Desktop, preference: str) -> bool | int | str | None:
    """A preference as in the Config Editor, e.g. mailnews.default_sort_order; null if not set."""
    reply: bool | int | str | None = await run(desktop, _PREF, preference)
    return reply


@TOOLS.tool("thunderbird.set_preference", timeout_s=CALL_S)
async def set_preference(
    desktop: Desktop, preference: str, value: bool | int | str
) -> dict[str, Any]:
    """Sets a preference as the Config Editor does."""
    await run(desktop, _SET_PREF, preference, value)
    return {preference: await run(desktop, _PREF, preference)}


@TOOLS.tool("thunderbird.accounts", timeout_s=CALL_S)
async def accounts(desktop: Desktop) -> list[dict[str, Any]]:
    """Mail accounts and their identities (name, address, reply-to, signature, HTML or plain)."""
    reply: list[dict[str, Any]] = await run(desktop, _ACCOUNTS)
    return reply


@TOOLS.tool("thunderbird.set_identity", timeout_s=CALL_S)
async def set_identity(
    desktop: Desktop,
    identity: str = "id1",
    full_name: str | None = None,
    email: str | None = None,
    organization: str | None = None,
    reply_to: str | None = None,
    signature: str | None = None,
    html: bool | None = None,
) -> list[dict[str, Any]]:
    """Changes the identity that messages are written under; what is not given stays."""
    fields = {
        "name": full_name,
        "email": email,
        "organization": organization,
        "reply_to": reply_to,
        "signature": signature,
        "html": html,
    }
    changes = {name: value for name, value in fields.items() if value is not None}
    await run(desktop, _IDENTITY, identity, changes)
    reply: list[dict[str, Any]] = await run(desktop, _ACCOUNTS)
    return reply
