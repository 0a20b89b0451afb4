// The controls of a form. Each holds its own value and shows it to the form by an input of its name.
import Autocomplete from "@mui/material/Autocomplete";
import FormControl from "@mui/material/FormControl";
import FormControlLabel from "@mui/material/FormControlLabel";
import FormLabel from "@mui/material/FormLabel";
import InputAdornment from "@mui/material/InputAdornment";
import MenuItem from "@mui/material/MenuItem";
import Radio from "@mui/material/Radio";
import RadioGroup from "@mui/material/RadioGroup";
import Switch from "@mui/material/Switch";
import TextField from "@mui/material/TextField";
import { useState } from "react";
import { flushSync } from "react-dom";
import { SearchIcon } from "./icons.jsx";

const MOST_IN_A_SELECT = 10;
const ICON_OF_SEARCH = { input: { startAdornment: <InputAdornment position="start"><SearchIcon fontSize="small" /></InputAdornment> } };

const TextControl = ({ control, isSearch }) => (
  <TextField name={control.name} label={control.label} defaultValue={control.value} helperText={control.hint || undefined}
    autoComplete="off" slotProps={isSearch ? ICON_OF_SEARCH : undefined} />
);

const SelectControl = ({ control, onPick }) => {
  const [value, setValue] = useState(control.value);
  const pick = (event) => {
    flushSync(() => setValue(event.target.value));
    onPick?.(control.name);
  };
  return (
    <TextField select name={control.name} label={control.label} value={value} onChange={pick} id={`field-${control.name}`}
      slotProps={{ inputLabel: { shrink: true }, select: { displayEmpty: true } }}>
      {control.options.map(([key, text]) => <MenuItem key={key} value={key}>{text}</MenuItem>)}
    </TextField>
  );
};

const SuggestingControl = ({ control }) => {
  const options = control.options.map(([value, text]) => ({ value, label: text }));
  const [chosen, setChosen] = useState(options.find((option) => option.value === control.value) ?? options[0]);
  return (
    <>
      <Autocomplete options={options} value={chosen} onChange={(event, option) => setChosen(option)} disableClearable id={`field-${control.name}`}
        isOptionEqualToValue={(option, value) => option.value === value.value} getOptionKey={(option) => option.value}
        renderInput={(params) => <TextField {...params} label={control.label} />} />
      <input type="hidden" name={control.name} value={chosen.value} />
    </>
  );
};

const SwitchControl = ({ control }) => (
  <FormControlLabel label={control.label} control={<Switch name={control.name} value="yes" defaultChecked={control.value === "yes"} />} />
);

const RadioControl = ({ control }) => (
  <FormControl>
    <FormLabel id={`label-${control.name}`} sx={{ fontSize: 12 }}>{control.label}</FormLabel>
    <RadioGroup row name={control.name} defaultValue={control.value} aria-labelledby={`label-${control.name}`}>
      {control.options.map(([value, text]) => <FormControlLabel key={value} value={value} label={text} control={<Radio size="small" />} />)}
    </RadioGroup>
  </FormControl>
);

export const Field = ({ control, isSearch, onPick }) => {
  if (control.kind === "check") return <SwitchControl control={control} />;
  if (control.kind === "radio") return <RadioControl control={control} />;
  if (control.kind !== "choice") return <TextControl control={control} isSearch={isSearch} />;
  return control.options.length > MOST_IN_A_SELECT ? <SuggestingControl control={control} /> : <SelectControl control={control} onPick={onPick} />;
};
