import { useEffect, useRef, useState } from 'react';

const pauseMs = 250;

/** The text of a search field. `onSettle` runs when typing pauses. The back button and a chip also change the text. */
export function useTypedSearch(
  value: string,
  onSettle: (text: string) => void,
): [string, (text: string) => void] {
  const [text, setText] = useState(value);
  const [shown, setShown] = useState(value);
  const [applied, setApplied] = useState(value);
  if (shown !== value) {
    setShown(value);
    // The applied value arrives from the URL while more is typed: keep the text.
    if (value !== applied) {
      setText(value);
      setApplied(value);
    }
  }
  const settle = useRef(onSettle);
  useEffect(() => {
    settle.current = onSettle;
  });
  useEffect(() => {
    const wanted = text.trim();
    if (wanted === applied) return undefined;
    const timer = setTimeout(() => {
      setApplied(wanted);
      settle.current(wanted);
    }, pauseMs);
    return () => clearTimeout(timer);
  }, [text, applied]);
  return [text, setText];
}

/** A value that changes only when typing pauses, so that the server is not queried for each letter. */
export function useSettled<Value>(value: Value): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), pauseMs);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
