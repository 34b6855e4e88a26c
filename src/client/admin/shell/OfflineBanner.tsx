import { useEffect, useSyncExternalStore } from 'react';
import { styled } from 'styled-components';
import { token } from '#client/theme/tokens.ts';
import { CircleAlert } from '#client/ui/Icon.tsx';
import { loadToasts } from '#client/ui/Toast.tsx';
import { adminCopy } from '#shared/admin/copy.ts';

/** Says that nothing is saved while the browser is offline. Its live region is there before, so that it is announced. */
export function OfflineBanner() {
  useEffect(loadToasts, []);
  const isOnline = useSyncExternalStore(subscribe, readOnline, () => true);
  return (
    <output>
      {isOnline ? null : (
        <Box>
          <CircleAlert />
          {adminCopy.offline}
        </Box>
      )}
    </output>
  );
}

function readOnline(): boolean {
  return navigator.onLine;
}

function subscribe(onChange: () => void): () => void {
  window.addEventListener('online', onChange);
  window.addEventListener('offline', onChange);
  return () => {
    window.removeEventListener('online', onChange);
    window.removeEventListener('offline', onChange);
  };
}

const Box = styled.span`
  display: flex;
  align-items: center;
  gap: 0.75rem;
  padding: 0.75rem 1rem;
  border: 1px solid ${token.warning};
  border-radius: ${token.radius};
  background: color-mix(in srgb, ${token.warning} 5%, #ffffff);
  color: ${token.warning};
  font-weight: 600;
  line-height: 1.4;

  & > svg {
    flex: none;
    inline-size: 1.25rem;
  }
`;
