// Lists of records: as a table, cards, lines, lines in groups, or a board.
import Box from "@mui/material/Box";
import Card from "@mui/material/Card";
import CardContent from "@mui/material/CardContent";
import Checkbox from "@mui/material/Checkbox";
import Chip from "@mui/material/Chip";
import Link from "@mui/material/Link";
import List from "@mui/material/List";
import ListItem from "@mui/material/ListItem";
import ListSubheader from "@mui/material/ListSubheader";
import Pagination from "@mui/material/Pagination";
import Paper from "@mui/material/Paper";
import Stack from "@mui/material/Stack";
import Table from "@mui/material/Table";
import TableBody from "@mui/material/TableBody";
import TableCell from "@mui/material/TableCell";
import TableContainer from "@mui/material/TableContainer";
import TableHead from "@mui/material/TableHead";
import TableRow from "@mui/material/TableRow";
import TableSortLabel from "@mui/material/TableSortLabel";
import Typography from "@mui/material/Typography";
import { RowActions } from "./actions.jsx";
import { TickedForm } from "./forms.jsx";
import { InboxIcon } from "./icons.jsx";
import { openPage } from "./pages.js";

const TONES = { new: "info", pending: "warning", active: "success", declined: "error" };

// Plain styles where there are many of a kind: each `sx` is worked out anew for every element.
const STRONG = { fontWeight: 600 }, FAINT = { opacity: 0.65 }, NAME = { flex: "0 0 180px" }, ACTIONS = { flex: "0 0 150px" };

export const Value = ({ cell }) => (cell.tone ? <Chip size="small" variant="outlined" color={TONES[cell.tone]} label={cell.text} /> : cell.text);

const Tick = ({ row }) => <Checkbox size="small" name={row.tick} value="yes" slotProps={{ input: { "aria-label": `Select ${row.name.text}` } }} />;
const Name = ({ row }) => <Link href={row.name.href} underline="hover" style={STRONG}>{row.name.text}</Link>;

// A head sorts its list where the form above it can.
const Head = ({ label, query }) => {
  const sort = query?.controls.find((control) => control.name === "sort");
  const option = sort?.options.map(([value]) => value).find((value) => value === label || value === `${label}, descending`);
  if (!option) return label;
  const turn = () => {
    const address = new URL(location.href);
    address.searchParams.set("sort", option);
    address.searchParams.delete("page");
    openPage(address.href);
  };
  return <TableSortLabel active={sort.value === option} direction={option === label ? "asc" : "desc"} onClick={turn}>{label}</TableSortLabel>;
};

const TableOfRows = ({ list, query }) => {
  const hasTicks = list.rows.some((row) => row.tick), hasActions = list.rows.some((row) => row.buttons.length);
  return (
    <TableContainer>
      <Table size="small">
        <TableHead>
          <TableRow>
            {hasTicks && <TableCell padding="checkbox" />}
            {[list.name_label, ...list.columns].map((label) => <TableCell key={label} sx={{ color: "text.secondary", fontWeight: 600 }}><Head label={label} query={query} /></TableCell>)}
            {hasActions && <TableCell />}
          </TableRow>
        </TableHead>
        <TableBody>
          {list.rows.map((row) => (
            <TableRow key={row.name.href} hover>
              {hasTicks && <TableCell padding="checkbox"><Tick row={row} /></TableCell>}
              <TableCell><Name row={row} /></TableCell>
              {row.cells.map((cell) => <TableCell key={cell.label}><Value cell={cell} /></TableCell>)}
              {hasActions && <TableCell sx={{ py: 0 }}><RowActions buttons={row.buttons} /></TableCell>}
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </TableContainer>
  );
};

// Below each other, or in columns where there is room.
const Facts = ({ cells, hasColumns }) => (
  <Box sx={{ display: "grid", gridTemplateColumns: hasColumns ? { sm: `repeat(${cells.length}, 1fr)` } : undefined, columnGap: 2, rowGap: 0.25, alignItems: "center", fontSize: 13 }}>
    {cells.map((cell) => (
      <div key={cell.label}>{cell.tone ? <Value cell={cell} /> : <><span style={FAINT}>{`${cell.label}: `}</span>{cell.text}</>}</div>
    ))}
  </Box>
);

const CardOfRow = ({ row, children }) => (
  <Card variant="outlined">
    <CardContent sx={{ p: 1.5, "&:last-child": { pb: 1.5 } }}>
      <Box sx={{ display: "flex", alignItems: "center", mb: 0.5 }}>
        {row.tick && <Tick row={row} />}
        <Name row={row} />
      </Box>
      <Facts cells={row.cells} />
      {row.buttons.length > 0 && <Box sx={{ ml: -0.5, mt: 0.5 }}><RowActions buttons={row.buttons} /></Box>}
    </CardContent>
  </Card>
);

const Cards = ({ list }) => (
  <Box sx={{ display: "grid", gridTemplateColumns: { xs: "1fr", sm: "1fr 1fr" }, gap: 1.5, p: 2, pt: 0.5 }}>
    {list.rows.map((row) => <CardOfRow key={row.name.href} row={row} />)}
  </Box>
);

const Line = ({ row, hasActions }) => (
  <ListItem divider dense sx={{ gap: 1, flexWrap: { xs: "wrap", sm: "nowrap" } }}>
    {row.tick && <Tick row={row} />}
    <div style={NAME}><Name row={row} /></div>
    <Box sx={{ flex: 1 }}><Facts cells={row.cells} hasColumns /></Box>
    {hasActions && <div style={ACTIONS}><RowActions buttons={row.buttons} /></div>}
  </ListItem>
);

const Lines = ({ rows }) => {
  const hasActions = rows.some((row) => row.buttons.length);
  return <List disablePadding>{rows.map((row) => <Line key={row.name.href} row={row} hasActions={hasActions} />)}</List>;
};

const rowsOf = (list, group) => list.rows.filter((row) => row.group === group);

const Groups = ({ list }) => (
  <List disablePadding>
    {list.groups.map((group) => (
      <Box key={group} component="li">
        <ListSubheader component="div" disableSticky sx={{ bgcolor: "action.hover", lineHeight: "32px" }}>{`${group} (${rowsOf(list, group).length})`}</ListSubheader>
        <Lines rows={rowsOf(list, group)} />
      </Box>
    ))}
  </List>
);

const Board = ({ list }) => (
  <Box sx={{ display: "grid", gridAutoFlow: "column", gridAutoColumns: { xs: "75vw", sm: "minmax(0, 1fr)" }, gap: 1.5, p: 2, pt: 0.5, overflowX: "auto" }}>
    {list.groups.map((group) => (
      <Box key={group} sx={{ bgcolor: "action.hover", borderRadius: 1, p: 1 }}>
        <Typography variant="subtitle2" component="div" sx={{ mb: 1, textTransform: "capitalize" }}>{`${group} ${rowsOf(list, group).length}`}</Typography>
        <Stack spacing={1}>{rowsOf(list, group).map((row) => <CardOfRow key={row.name.href} row={row} />)}</Stack>
      </Box>
    ))}
  </Box>
);

const VIEWS = { table: TableOfRows, cards: Cards };

const Rows = ({ list, query }) => {
  if (!list.rows.length) {
    return <Stack sx={{ alignItems: "center", py: 6, color: "text.secondary" }} spacing={1}><InboxIcon fontSize="large" /><span>{list.empty}</span></Stack>;
  }
  const View = list.groups.length ? (list.view === "board" ? Board : Groups) : VIEWS[list.view];
  return View ? <View list={list} query={query} /> : <Lines rows={list.rows} />;
};

const Pages = ({ list }) => {
  const turn = (event, page) => {
    const address = new URL((list.next ?? list.previous).href, location.href);
    address.searchParams.set("page", page);
    openPage(address.href);
  };
  const names = { page: (page) => `Page ${page}`, next: () => list.next?.text ?? "Next page", previous: () => list.previous?.text ?? "Previous page" };
  const label = (kind, page) => names[kind](page);
  return <Pagination count={list.pages} page={list.page} onChange={turn} getItemAriaLabel={label} size="small" color="primary" sx={{ p: 1.5 }} />;
};

export const ListOfRecords = ({ list, query }) => (
  <Paper sx={{ mb: 2, overflow: "hidden" }}>
    <Typography variant="body2" component="div" sx={{ px: 2, py: 1.25, color: "text.secondary" }}>{list.summary}</Typography>
    {list.bulk ? <TickedForm form={list.bulk}><Rows list={list} query={query} /></TickedForm> : <Rows list={list} query={query} />}
    {list.pages > 1 && <Pages list={list} />}
  </Paper>
);
