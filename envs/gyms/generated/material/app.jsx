// Draws the screen that the server sent as JSON with the components of MUI, and fetches the next one.
import Box from "@mui/material/Box";
import Container from "@mui/material/Container";
import CssBaseline from "@mui/material/CssBaseline";
import Paper from "@mui/material/Paper";
import Typography from "@mui/material/Typography";
import { ThemeProvider } from "@mui/material/styles";
import { useLayoutEffect, useMemo, useState } from "react";
import { createRoot } from "react-dom/client";
import { flushSync } from "react-dom";
import { Actions } from "./actions.jsx";
import { DialogForm, PageForm, QueryForm } from "./forms.jsx";
import { ListOfRecords } from "./lists.jsx";
import { readScreen, startPages } from "./pages.js";
import { RecordView, Related } from "./records.jsx";
import { Shell } from "./shell.jsx";
import { makeTheme } from "./theme.js";

const Note = ({ block }) => <Paper sx={{ p: 2, mb: 2 }}>{block.text}</Paper>;
const FormView = ({ block }) => (block.opener ? <DialogForm form={block} /> : block.is_query && !block.cancel ? <QueryForm form={block} /> : <PageForm form={block} />);
const ListView = ({ block, query }) => <ListOfRecords list={block} query={query} />;
const BLOCKS = { Actions, FormView, ListView, Note, RecordView, Related };
const isAction = (block) => block.block === "Actions" || block.opener;

const Screen = ({ screen }) => {
  const actions = screen.blocks.filter(isAction), rest = screen.blocks.filter((block) => !isAction(block));
  const isOfList = screen.blocks.some((block) => block.block === "ListView"), query = screen.blocks.find((block) => block.is_query);
  const draw = (block, place) => {
    const Block = BLOCKS[block.block];
    return <Block key={place} block={block} isOfList={isOfList} query={query} />;
  };
  return (
    <>
      <Box sx={{ display: "flex", flexWrap: "wrap", gap: 1.5, alignItems: "center", mb: 2 }}>
        <Typography variant="h5" component="h1" sx={{ flexGrow: 1 }}>{screen.title}</Typography>
        {actions.map(draw)}
      </Box>
      {rest.map(draw)}
    </>
  );
};

// Errors and the sign-in come as plain pages.
const BARE = { p: 4, "& a": { color: "primary.main" }, "& button": { font: "inherit", px: 2, py: 1, border: 0, borderRadius: 1, bgcolor: "primary.main", color: "primary.contrastText" } };
const BarePage = ({ html }) => <Container maxWidth="sm" sx={{ py: 6 }}><Paper sx={BARE} dangerouslySetInnerHTML={{ __html: html }} /></Container>;

const App = ({ first }) => {
  const [{ screen, visit }, setView] = useState({ screen: first, visit: 0 });
  const theme = useMemo(() => makeTheme(first.theme), [first.theme]);
  useLayoutEffect(() => startPages((next, number) => flushSync(() => setView({ screen: next, visit: number }))), []);
  useLayoutEffect(() => { document.title = screen.document_title; }, [screen]);
  return (
    <ThemeProvider theme={theme}>
      <CssBaseline />
      {screen.bare === undefined ? <Shell screen={screen} visit={visit}><Screen key={visit} screen={screen} /></Shell> : <BarePage html={screen.bare} />}
    </ThemeProvider>
  );
};

const root = document.createElement("div");
const first = readScreen(document);
document.body.append(root);
flushSync(() => createRoot(root).render(<App first={first} />));
