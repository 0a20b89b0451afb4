// What surrounds every screen: bar, navigation, path, message, what covers the page.
import Alert from "@mui/material/Alert";
import AppBar from "@mui/material/AppBar";
import Avatar from "@mui/material/Avatar";
import Box from "@mui/material/Box";
import Breadcrumbs from "@mui/material/Breadcrumbs";
import Button from "@mui/material/Button";
import Dialog from "@mui/material/Dialog";
import DialogActions from "@mui/material/DialogActions";
import DialogContent from "@mui/material/DialogContent";
import Drawer from "@mui/material/Drawer";
import IconButton from "@mui/material/IconButton";
import Link from "@mui/material/Link";
import List from "@mui/material/List";
import ListItem from "@mui/material/ListItem";
import ListItemButton from "@mui/material/ListItemButton";
import ListItemIcon from "@mui/material/ListItemIcon";
import ListItemText from "@mui/material/ListItemText";
import Snackbar from "@mui/material/Snackbar";
import Tab from "@mui/material/Tab";
import Tabs from "@mui/material/Tabs";
import Toolbar from "@mui/material/Toolbar";
import Typography from "@mui/material/Typography";
import useMediaQuery from "@mui/material/useMediaQuery";
import { useState } from "react";
import { FolderIcon, MenuIcon } from "./icons.jsx";

const DRAWER_WIDTH = 220;

const Places = ({ screen }) => (
  <List component="nav">
    {screen.places.map((place) => (
      <ListItem key={place.href} disablePadding>
        <ListItemButton component="a" href={place.href} selected={place.href === screen.here}>
          <ListItemIcon sx={{ minWidth: 38 }}><FolderIcon fontSize="small" /></ListItemIcon>
          <ListItemText primary={place.text} />
        </ListItemButton>
      </ListItem>
    ))}
  </List>
);

const Brand = ({ screen }) => (
  <>
    <Box sx={{ width: 34, height: 34, mr: 1.5, flex: "none", borderRadius: 1, bgcolor: screen.theme === 2 ? "primary.main" : "transparent", backgroundImage: screen.picture, backgroundPosition: "center", backgroundSize: 22, backgroundRepeat: "no-repeat" }} />
    <Typography variant="h6" component="div" noWrap sx={{ mr: 3 }}>{screen.app}</Typography>
  </>
);

const User = ({ screen }) => (
  <Box sx={{ ml: "auto", display: "flex", alignItems: "center", gap: 1.5 }}>
    <Typography variant="body2" component="div" sx={{ display: { xs: "none", sm: "block" } }}>{`${screen.user}, ${screen.owner}`}</Typography>
    <Avatar sx={{ width: 32, height: 32, fontSize: 13, bgcolor: "secondary.main", color: "secondary.contrastText" }}>{screen.initials}</Avatar>
  </Box>
);

const Bar = ({ screen, isNarrow, openDrawer }) => {
  const hasDrawer = screen.navigation === "menu" || (isNarrow && screen.navigation !== "tabs");
  return (
    <AppBar position="static" sx={{ zIndex: "drawer" }}>
      <Toolbar variant="dense" sx={{ minHeight: 56 }}>
        {hasDrawer && <IconButton color="inherit" edge="start" aria-label={screen.menu} onClick={openDrawer} sx={{ mr: 1 }}><MenuIcon /></IconButton>}
        <Brand screen={screen} />
        {screen.navigation === "bar" && !isNarrow && screen.places.map((place) => (
          <Button key={place.href} color="inherit" href={place.href} sx={{ borderRadius: 0, minHeight: 56, borderBottom: "2px solid", borderColor: place.href === screen.here ? "currentColor" : "transparent" }}>{place.text}</Button>
        ))}
        <User screen={screen} />
      </Toolbar>
      {screen.navigation === "tabs" && (
        <Tabs value={screen.here ?? false} textColor="inherit" variant={isNarrow ? "scrollable" : "standard"} component="nav" sx={{ "& .MuiTabs-indicator": { bgcolor: "currentColor", height: 3 } }}>
          {screen.places.map((place) => <Tab key={place.href} component="a" href={place.href} value={place.href} label={place.text} />)}
        </Tabs>
      )}
    </AppBar>
  );
};

const Message = ({ html }) => {
  const text = <span dangerouslySetInnerHTML={{ __html: html }} />;
  if (!html.startsWith("✓ ")) return <Alert severity="warning" sx={{ mb: 2 }}>{text}</Alert>;
  // It hides nothing from a pointer: what lies under it can still be pressed.
  return <Snackbar open message={text} sx={{ pointerEvents: "none" }} />;
};

const Cover = ({ cover }) => {
  const [isOpen, setOpen] = useState(true);
  return (
    <Dialog open={isOpen}>
      <DialogContent>{cover.text}</DialogContent>
      <DialogActions><Button variant="contained" onClick={() => setOpen(false)}>{cover.answer}</Button></DialogActions>
    </Dialog>
  );
};

// Stays from page to page; what belongs to one page is drawn anew with it.
export const Shell = ({ screen, visit, children }) => {
  const isNarrow = useMediaQuery((theme) => theme.breakpoints.down("sm"), { noSsr: true });
  const [visitOfDrawer, setVisitOfDrawer] = useState(null);
  const closeDrawer = () => setVisitOfDrawer(null);
  const hasSide = screen.navigation === "side" && !isNarrow;
  return (
    <>
      <Bar screen={screen} isNarrow={isNarrow} openDrawer={() => setVisitOfDrawer(visit)} />
      <Drawer open={visitOfDrawer === visit} onClose={closeDrawer}><Box sx={{ width: 250 }}><Places screen={screen} /></Box></Drawer>
      <Box sx={{ display: "flex" }}>
        {hasSide && <Box sx={{ width: DRAWER_WIDTH, flex: "none", minHeight: "calc(100vh - 56px)", borderRight: 1, borderColor: "divider", bgcolor: "background.paper" }}><Places screen={screen} /></Box>}
        <Box component="main" sx={{ flex: 1, minWidth: 0, p: { xs: 2, sm: 3 }, pt: 2, pb: 8, maxWidth: 1200, mx: hasSide ? 0 : "auto" }}>
          {screen.crumbs.length > 0 && (
            <Breadcrumbs sx={{ mb: 1, fontSize: 13 }}>
              {screen.crumbs.map((crumb) => <Link key={crumb.href} href={crumb.href} underline="hover" color="inherit">{crumb.text}</Link>)}
              <Typography sx={{ fontSize: 13, color: "text.primary" }}>{screen.title}</Typography>
            </Breadcrumbs>
          )}
          {screen.message && <Message key={`message-${visit}`} html={screen.message} />}
          {children}
        </Box>
      </Box>
      {screen.cover && <Cover key={`cover-${visit}`} cover={screen.cover} />}
    </>
  );
};
