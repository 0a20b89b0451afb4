// The look of an app, one for each theme of the gyms. Nothing moves: no transitions, no ripples.
import { createTheme } from "@mui/material/styles";

const FONT = 'Roboto, "Helvetica Neue", Arial, system-ui, sans-serif';
const LOOKS = [
  { palette: { background: { default: "#f5f6f8" } } },
  { palette: { primary: { main: "#8d3b1b" }, secondary: { main: "#ffb74d" }, background: { default: "#faf6f2" } }, shape: { borderRadius: 10 } },
  { palette: { mode: "dark" }, shape: { borderRadius: 2 } },
  { palette: { primary: { main: "#00695c" }, secondary: { main: "#a7ffeb" }, background: { default: "#f2f7f5" } }, shape: { borderRadius: 6 } },
];
const STILL = { "*, *::before, *::after": { transition: "none !important", animation: "none !important" } };
const NO_RIPPLE = { defaultProps: { disableRipple: true } };

export const makeTheme = (number) => {
  const look = LOOKS[number];
  return createTheme({
    ...look,
    motion: { reducedMotion: "always" },
    typography: { fontFamily: FONT, fontSize: 13, button: { textTransform: number % 2 ? "none" : "uppercase" } },
    components: {
      MuiCssBaseline: { styleOverrides: STILL },
      MuiButtonBase: NO_RIPPLE,
      MuiTextField: { defaultProps: { size: "small", fullWidth: true } },
      MuiFormControl: { defaultProps: { size: "small" } },
      MuiPaper: { defaultProps: { variant: look.palette.mode === "dark" ? "elevation" : undefined } },
    },
  });
};
