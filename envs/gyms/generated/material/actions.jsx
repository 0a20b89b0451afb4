// Buttons that send something, perhaps after a question, and the menu that holds some of them.
import Button from "@mui/material/Button";
import Dialog from "@mui/material/Dialog";
import DialogActions from "@mui/material/DialogActions";
import DialogContent from "@mui/material/DialogContent";
import DialogContentText from "@mui/material/DialogContentText";
import Menu from "@mui/material/Menu";
import MenuItem from "@mui/material/MenuItem";
import Stack from "@mui/material/Stack";
import { useState } from "react";
import { AddIcon, DownIcon } from "./icons.jsx";
import { openPage, sendButton } from "./pages.js";

const Question = ({ button, onClose }) => (
  <Dialog open onClose={onClose}>
    <DialogContent><DialogContentText>{button.question.text}</DialogContentText></DialogContent>
    <DialogActions>
      <Button onClick={onClose}>{button.question.no}</Button>
      <Button variant="contained" color="error" onClick={() => sendButton(button)}>{button.question.yes}</Button>
    </DialogActions>
  </Dialog>
);

const useActions = () => {
  const [asking, setAsking] = useState(null);
  const act = (entry) => {
    if (entry.is_link) openPage(entry.href);
    else if (entry.question) setAsking(entry);
    else sendButton(entry);
  };
  return [act, asking && <Question button={asking} onClose={() => setAsking(null)} />];
};

export const ActionButton = ({ entry, act, ...props }) => entry.is_link
  ? <Button href={entry.href} {...props}>{entry.text}</Button>
  : <Button aria-label={entry.label ?? undefined} onClick={() => act(entry)} {...props}>{entry.text}</Button>;

const ActionMenu = ({ text, entries, act }) => {
  const [anchor, setAnchor] = useState(null);
  const pick = (entry) => {
    setAnchor(null);
    act(entry);
  };
  return (
    <>
      <Button variant="outlined" endIcon={<DownIcon />} aria-haspopup="menu" aria-expanded={Boolean(anchor)} onClick={(event) => setAnchor(event.currentTarget)}>{text}</Button>
      <Menu anchorEl={anchor} open={Boolean(anchor)} onClose={() => setAnchor(null)}>
        {entries.map((entry) => <MenuItem key={entry.text} onClick={() => pick(entry)}>{entry.text}</MenuItem>)}
      </Menu>
    </>
  );
};

export const Actions = ({ block, isOfList }) => {
  const [act, question] = useActions();
  return (
    <Stack direction="row" useFlexGap spacing={1} sx={{ flexWrap: "wrap" }}>
      {block.shown.map((entry, place) => <ActionButton key={entry.text} entry={entry} act={act} variant={place ? "outlined" : "contained"} startIcon={isOfList ? <AddIcon /> : undefined} />)}
      {block.menu && <ActionMenu text={block.menu} entries={block.in_menu} act={act} />}
      {question}
    </Stack>
  );
};

export const RowActions = ({ buttons }) => {
  const [act, question] = useActions();
  return (
    <Stack direction="row" useFlexGap spacing={0.5} sx={{ flexWrap: "wrap" }}>
      {buttons.map((button) => <ActionButton key={button.text} entry={button} act={act} size="small" />)}
      {question}
    </Stack>
  );
};
