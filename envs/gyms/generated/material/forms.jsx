// Forms: above a list, on a page, in a dialog.
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Dialog from "@mui/material/Dialog";
import DialogActions from "@mui/material/DialogActions";
import DialogContent from "@mui/material/DialogContent";
import DialogTitle from "@mui/material/DialogTitle";
import IconButton from "@mui/material/IconButton";
import Paper from "@mui/material/Paper";
import Stack from "@mui/material/Stack";
import Step from "@mui/material/Step";
import StepLabel from "@mui/material/StepLabel";
import Stepper from "@mui/material/Stepper";
import { useRef, useState } from "react";
import { Field } from "./fields.jsx";
import { AddIcon, CloseIcon, EditIcon } from "./icons.jsx";
import { openPage, sendForm } from "./pages.js";

const GRID = { display: "grid", gridTemplateColumns: { xs: "1fr", sm: "1fr 1fr" }, gap: 2, alignItems: "start" };

const Form = ({ form, children, ...props }) => {
  const send = (event) => {
    event.preventDefault();
    const action = event.target.getAttribute("action"), fields = new URLSearchParams(new FormData(event.target));
    if (form.is_query) openPage(`${action}?${fields}`);
    else sendForm(action, fields);
  };
  return (
    <Box component="form" action={form.action} method={form.is_query ? "get" : "post"} noValidate onSubmit={send} {...props}>
      {Object.entries(form.hidden).map(([name, value]) => <input key={name} type="hidden" name={name} value={value} />)}
      {children}
    </Box>
  );
};

const Fields = ({ form }) => form.controls.map((control) => <Field key={control.name} control={control} />);

export const QueryForm = ({ form }) => {
  const anchor = useRef(null);
  const sendAtOnce = form.at_once ? () => anchor.current.form.requestSubmit() : undefined;
  return (
    <Form form={form} sx={{ display: "flex", flexWrap: "wrap", gap: 1.5, mb: 2, alignItems: "center", "& > .MuiFormControl-root": { flex: { xs: "1 1 100%", sm: "0 1 170px" } } }}>
      {form.controls.map((control) => <Field key={control.name} control={control} isSearch={control.kind === "text"} onPick={sendAtOnce} />)}
      <Button type="submit" variant="outlined" ref={anchor}>{form.submit}</Button>
    </Form>
  );
};

const Parts = ({ title }) => {
  const [, part, parts] = /: (\d+) \/ (\d+)$/.exec(title) ?? [];
  if (!parts || parts === "1") return null;
  return (
    <Stepper activeStep={part - 1} sx={{ mb: 3, maxWidth: 90 * parts }}>
      {Array.from({ length: Number(parts) }, (unused, place) => <Step key={place}><StepLabel /></Step>)}
    </Stepper>
  );
};

export const PageForm = ({ form }) => (
  <Paper sx={{ p: 3, mb: 2, maxWidth: 860 }}>
    <Parts title={form.title} />
    <Form form={form}>
      <Box sx={GRID}><Fields form={form} /></Box>
      <Stack direction="row" spacing={1} sx={{ mt: form.controls.length ? 3 : 0 }}>
        <Button type="submit" variant="contained">{form.submit}</Button>
        {form.cancel && <Button href={form.cancel.href}>{form.cancel.text}</Button>}
      </Stack>
    </Form>
  </Paper>
);

export const DialogForm = ({ form }) => {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false), isNew = form.opener === form.title;
  return (
    <>
      <Button variant={isNew ? "contained" : "outlined"} startIcon={isNew ? <AddIcon /> : <EditIcon />} onClick={() => setOpen(true)}>{form.opener}</Button>
      <Dialog open={isOpen} onClose={close} maxWidth="md" fullWidth aria-labelledby="form-title">
        <DialogTitle id="form-title">{form.title}</DialogTitle>
        <IconButton aria-label="Close" onClick={close} sx={{ position: "absolute", right: 12, top: 12 }}><CloseIcon /></IconButton>
        <Form form={form} sx={{ display: "contents" }}>
          <DialogContent dividers><Box sx={GRID}><Fields form={form} /></Box></DialogContent>
          <DialogActions><Button type="submit" variant="contained">{form.submit}</Button></DialogActions>
        </Form>
      </Dialog>
    </>
  );
};

export const TickedForm = ({ form, children }) => (
  <Form form={form}>
    {children}
    <Box sx={{ display: "flex", gap: 1.5, px: 2, py: 1.5, alignItems: "center", "& > .MuiFormControl-root": { width: 200 } }}>
      <Fields form={form} />
      <Button type="submit" variant="outlined">{form.submit}</Button>
    </Box>
  </Form>
);
