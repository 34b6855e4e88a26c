import { type ComponentType, useState } from 'react';
import { createPortal } from 'react-dom';
import { wantsNewTab } from '#client/browser/location.ts';
import type { PolicyKey } from '#shared/pages/boot.ts';
import { policyLabels } from '#shared/brand/chrome.ts';
import { paths } from '#shared/pages/paths.ts';
import type { PolicyDialogProps } from './PolicyDialog.tsx';

const policies: readonly PolicyKey[] = ['terms', 'privacy', 'refunds'];

interface Shown {
  policy: PolicyKey;
  PolicyDialog: ComponentType<PolicyDialogProps>;
}

/**
 * Links to the policy pages that open the same texts in a modal. The texts are long and seldom read, so they come with
 * the first modal; where scripts don't run or the texts can't be loaded the links lead to the pages.
 */
export function PolicyLinks() {
  const [shown, setShown] = useState<Shown | null>(null);

  async function open(policy: PolicyKey): Promise<void> {
    try {
      const { PolicyDialog } = await import('./PolicyDialog.tsx');
      setShown({ policy, PolicyDialog });
    } catch {
      window.location.assign(paths[policy]);
    }
  }

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
              void open(policy);
            }}
          >
            {policyLabels[policy]}
          </a>
        </li>
      ))}
      {shown === null ? null : <Modal shown={shown} onClose={() => setShown(null)} />}
    </>
  );
}

/** Outside the footer, so that it doesn't inherit the footer's colors and type. */
function Modal({ shown: { policy, PolicyDialog }, onClose }: { shown: Shown; onClose: () => void }) {
  return createPortal(<PolicyDialog policy={policy} onClose={onClose} />, document.body);
}
