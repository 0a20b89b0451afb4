// Takes the place of MUI's own transitions when the script is built: what opens is open and what closes
// is gone at once, so that no page is read, and no picture taken, in the midst of one.
import { useLayoutEffect, useRef } from "react";

export default function Instant(props) {
  const {
    in: isOpen = false, appear, mountOnEnter, unmountOnExit, timeout, addEndListener, enter, exit, reduceMotion, getAutoTimeout, nodeRef,
    onEnter, onEntering, onEntered, onExit, onExiting, onExited, children, ...rest
  } = props;
  const wasOpen = useRef(false);
  useLayoutEffect(() => {
    if (isOpen === wasOpen.current) return;
    wasOpen.current = isOpen;
    for (const tell of isOpen ? [onEnter, onEntering, onEntered] : [onExit, onExiting, onExited]) tell?.();
  });
  return isOpen || !(mountOnEnter || unmountOnExit) ? children(isOpen ? "entered" : "exited", rest) : null;
}
