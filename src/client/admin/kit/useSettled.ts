import { useEffect, useState } from 'react';

const pauseMs = 250;

/** A value once it has stood still for a moment: what is asked of the server by it isn't asked for every letter. */
export function useSettled<Value>(value: Value): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), pauseMs);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
