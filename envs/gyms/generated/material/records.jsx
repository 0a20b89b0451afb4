// The values of a record, and the records that are related to it.
import Box from "@mui/material/Box";
import Link from "@mui/material/Link";
import List from "@mui/material/List";
import ListItem from "@mui/material/ListItem";
import ListSubheader from "@mui/material/ListSubheader";
import Paper from "@mui/material/Paper";
import Table from "@mui/material/Table";
import TableBody from "@mui/material/TableBody";
import TableCell from "@mui/material/TableCell";
import TableRow from "@mui/material/TableRow";
import Typography from "@mui/material/Typography";
import { Value } from "./lists.jsx";

const LinkedValue = ({ cell }) => (cell.href ? <Link href={cell.href}>{cell.text}</Link> : <Value cell={cell} />);

const Pairs = ({ cells, columns }) => (
  <Paper sx={{ p: 2, mb: 2, display: "grid", gridTemplateColumns: { xs: "1fr", sm: `repeat(${columns}, 1fr)` }, gap: 2 }}>
    {cells.map((cell) => (
      <Box key={cell.label}>
        <Typography variant="caption" component="div" sx={{ color: "text.secondary" }}>{cell.label}</Typography>
        <Typography variant="body1" component="div" sx={{ overflowWrap: "anywhere" }}><LinkedValue cell={cell} /></Typography>
      </Box>
    ))}
  </Paper>
);

const Facts = ({ cells }) => (
  <Paper sx={{ mb: 2, maxWidth: 760 }}>
    <Table size="small">
      <TableBody>
        {cells.map((cell) => (
          <TableRow key={cell.label}>
            <TableCell component="th" scope="row" sx={{ width: 200, color: "text.secondary" }}>{cell.label}</TableCell>
            <TableCell><LinkedValue cell={cell} /></TableCell>
          </TableRow>
        ))}
      </TableBody>
    </Table>
  </Paper>
);

export const RecordView = ({ block }) => {
  if (!block.cells.length) return null;
  if (block.style === "table") return <Facts cells={block.cells} />;
  return <Pairs cells={block.cells} columns={block.style === "prose" ? 2 : 3} />;
};

export const Related = ({ block }) => (
  <Paper sx={{ mb: 2, maxWidth: 760 }}>
    <List dense disablePadding subheader={block.title ? <ListSubheader component="div" disableSticky sx={{ lineHeight: "36px", borderRadius: 1 }}>{block.title}</ListSubheader> : undefined}>
      {block.entries.map(([entry, remark]) => (
        <ListItem key={entry.href} divider secondaryAction={remark ? <Typography variant="body2" component="span" sx={{ color: "text.secondary" }}>{remark}</Typography> : undefined}>
          <Link href={entry.href} underline="hover">{entry.text}</Link>
        </ListItem>
      ))}
    </List>
  </Paper>
);
