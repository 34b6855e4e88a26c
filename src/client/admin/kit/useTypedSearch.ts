import { useEffect, useRef, useState } from 'react';

const pauseMs = 250;

/** What is typed, and told once the typing pauses. A change from elsewhere (the back button, a chip) shows. */
export function useTypedSearch(
  value: string,
  onSettle: (text: string) => void,
): [string, (text: string) => void] {
  const [text, setText] = useState(value);
  const [shown, setShown] = useState(value);
  const [told, setTold] = useState(value);
  if (shown !== value) {
    setShown(value);
    // What was told a moment ago comes back while more is being typed.
    if (value !== told) {
      setText(value);
      setTold(value);
    }
  }
  const settle = useRef(onSettle);
  useEffect(() => {
    settle.current = onSettle;
  });
  useEffect(() => {
    const wanted = text.trim();
    if (wanted === told) return undefined;
    const timer = setTimeout(() => {
      setTold(wanted);
      settle.current(wanted);
    }, pauseMs);
    return () => clearTimeout(timer);
  }, [text, told]);
  return [text, setText];
}

/** A value once it has stood still for a moment: what is asked of the server by it isn't asked for every letter. */
export function useSettled<Value>(value: Value): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), pauseMs);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
