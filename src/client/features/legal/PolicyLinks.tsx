import { lazy, type MouseEvent, Suspense, useState } from 'react';
import type { PolicyKey } from '#shared/boot.ts';
import { policyLabels } from '#shared/brand/chrome.ts';
import { paths } from '#shared/paths.ts';

/** The legal texts are long and seldom read: they come with the first modal. */
const PolicyDialog = lazy(async () => ({ default: (await import('./PolicyDialog.tsx')).PolicyDialog }));

const policies: readonly PolicyKey[] = ['terms', 'privacy', 'refunds'];

function wantsNewTab(event: MouseEvent): boolean {
  return event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
}

/** Links to the policy pages that open the same texts in a modal; plain links where scripts don't run or the text can't be loaded. */
export function PolicyLinks() {
  const [shown, setShown] = useState<PolicyKey | null>(null);
  return (
    <>
      {policies.map((policy) => (
        <li key={policy}>
          <a
            href={paths[policy]}
            aria-haspopup="dialog"
            onClick={(event) => {
              if (wantsNewTab(event)) return;
              event.preventDefault();
              setShown(policy);
            }}
          >
            {policyLabels[policy]}
          </a>
        </li>
      ))}
      {shown === null ? null : (
        <Suspense>
          <PolicyDialog policy={shown} onClose={() => setShown(null)} />
        </Suspense>
      )}
    </>
  );
}
