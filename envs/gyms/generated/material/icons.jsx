// Drawings of Material Icons (Apache-2.0).
import SvgIcon from "@mui/material/SvgIcon";

const makeIcon = (path) => (props) => <SvgIcon {...props}><path d={path} /></SvgIcon>;

export const SearchIcon = makeIcon("M15.5 14h-.79l-.28-.27C15.41 12.59 16 11.11 16 9.5 16 5.91 13.09 3 9.5 3S3 5.91 3 9.5 5.91 16 9.5 16c1.61 0 3.09-.59 4.23-1.57l.27.28v.79l5 4.99L20.49 19zm-6 0C7.01 14 5 11.99 5 9.5S7.01 5 9.5 5 14 7.01 14 9.5 11.99 14 9.5 14");
export const MenuIcon = makeIcon("M3 18h18v-2H3zm0-5h18v-2H3zm0-7v2h18V6z");
export const AddIcon = makeIcon("M19 13h-6v6h-2v-6H5v-2h6V5h2v6h6z");
export const EditIcon = makeIcon("M3 17.25V21h3.75L17.81 9.94l-3.75-3.75zM20.71 7.04c.39-.39.39-1.02 0-1.41l-2.34-2.34a.996.996 0 0 0-1.41 0l-1.83 1.83 3.75 3.75z");
export const CloseIcon = makeIcon("M19 6.41 17.59 5 12 10.59 6.41 5 5 6.41 10.59 12 5 17.59 6.41 19 12 13.41 17.59 19 19 17.59 13.41 12z");
export const DownIcon = makeIcon("m7 10 5 5 5-5z");
export const InboxIcon = makeIcon("M19 3H4.99c-1.11 0-1.98.89-1.98 2L3 19c0 1.1.88 2 1.99 2H19c1.1 0 2-.9 2-2V5c0-1.11-.9-2-2-2m0 12h-4c0 1.66-1.35 3-3 3s-3-1.34-3-3H4.99V5H19z");
export const FolderIcon = makeIcon("m9.17 6 2 2H20v10H4V6zM10 4H4c-1.1 0-1.99.9-1.99 2L2 18c0 1.1.9 2 2 2h16c1.1 0 2-.9 2-2V8c0-1.1-.9-2-2-2h-8z");
