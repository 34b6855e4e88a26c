import { useSearchParams } from 'wouter';

/** Which tab is open: kept in the address, the first being the usual one. What the address says of each tab stays. */
export function useTab<Key extends string>(keys: readonly [Key, ...Key[]]): [Key, (key: Key) => void] {
  const [params, setParams] = useSearchParams();
  const [usual] = keys;
  const current = keys.find((key) => key === params.get('tab')) ?? usual;
  function choose(key: Key): void {
    setParams((now) => {
      const next = new URLSearchParams(now);
      next.delete('lead');
      if (key === usual) next.delete('tab');
      else next.set('tab', key);
      return next;
    });
  }
  return [current, choose];
}
