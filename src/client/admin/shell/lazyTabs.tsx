import { type ComponentType, lazy, type ReactNode, Suspense, useState } from 'react';
import { CardSkeleton } from '#client/admin/insights/CardSkeleton.tsx';
import { LoadFailure } from '#client/admin/kit/LoadFailure.tsx';
import { loadPanels, Opening } from '#client/ui/loadedOnPress.tsx';
import { adminCopy, adminMessages } from '#shared/admin/copy.ts';
import type { TabKey } from './tabs.ts';

/** What a tab may ask for. */
interface TabProps {
  canChange: boolean;
  isOwner: boolean;
}

/** The tabs besides the first one. */
export const lazyTabs: Record<Exclude<TabKey, 'leads'>, LazyPart<TabProps>> = {
  providers: lazyPart(async () => (await import('#client/admin/providers/ProvidersTab.tsx')).ProvidersTab),
  applications: lazyPart(
    async () => (await import('#client/admin/applications/ApplicationsTab.tsx')).ApplicationsTab,
  ),
  deliveries: lazyPart(
    async () => (await import('#client/admin/deliveries/DeliveriesTab.tsx')).DeliveriesTab,
  ),
  insights: lazyPart(
    async () => (await import('#client/admin/insights/InsightsTab.tsx')).InsightsTab,
    <CardSkeleton label={adminCopy.busy} />,
  ),
  outbox: lazyPart(async () => (await import('#client/admin/unsentMail/UnsentMail.tsx')).UnsentMail),
  integrations: lazyPart(async () => (await import('#client/admin/webhooks/WebhooksTab.tsx')).WebhooksTab),
  team: lazyPart(async () => (await import('#client/admin/settings/TeamTab.tsx')).TeamTab),
  tokens: lazyPart(async () => (await import('#client/admin/settings/TokensTab.tsx')).TokensTab),
  claims: lazyPart(async () => (await import('#client/admin/settings/ClaimsTab.tsx')).ClaimsTab),
  audit: lazyPart(async () => (await import('#client/admin/settings/AuditTab.tsx')).AuditTab),
};

export const LazyLeadDrawer = lazyPart(
  async () => (await import('#client/admin/leads/drawer/LeadDrawer.tsx')).LeadDrawer,
  <Opening />,
);

export const LazyOwnAccount = lazyPart(
  async () => (await import('#client/admin/signIn/OwnAccount.tsx')).OwnAccount,
  <Opening />,
);

export const LazyHelp = lazyPart(async () => (await import('./Help.tsx')).Help, <Opening />);

export const LazyCommandPalette = lazyPart(
  async () => (await import('./CommandPalette.tsx')).CommandPalette,
  <Opening />,
);

/** Loads what most staff open soon, while the browser has nothing else to do. Returns a function that stops it. */
export function preloadParts(): () => void {
  const load = (): void => {
    loadPanels();
    for (const part of [LazyLeadDrawer, LazyCommandPalette, lazyTabs.providers]) void part.preload();
  };
  // Safari has no requestIdleCallback.
  if (!('requestIdleCallback' in window)) {
    const timer = setTimeout(load, 1_000);
    return () => clearTimeout(timer);
  }
  const idle = requestIdleCallback(load);
  return () => cancelIdleCallback(idle);
}

interface FailureProps {
  onRetry: () => void;
}

type FunctionComponent<Props> = (props: Props) => ReactNode;
type LazyPart<Props> = FunctionComponent<Props> & { preload: () => Promise<unknown> };

/**
 * A tab or an overlay whose code is loaded when it is first opened: staff who never open it don't load it. Until then,
 * `waiting` is rendered.
 */
function lazyPart<Props extends object>(
  load: () => Promise<FunctionComponent<Props>>,
  waiting: ReactNode = <output>{adminCopy.busy}</output>,
): LazyPart<Props> {
  function loadPart(): ComponentType<Props & FailureProps> {
    return lazy(async (): Promise<{ default: FunctionComponent<Props & FailureProps> }> => {
      try {
        return { default: await load() };
      } catch (error) {
        const { codeFailed } = adminMessages;
        return {
          default: ({ onRetry }) => <LoadFailure error={error} fallback={codeFailed} onRetry={onRetry} />,
        };
      }
    });
  }

  let preloaded: FunctionComponent<Props> | null = null;
  // A lazy component keeps its result, also a failure. A retry creates a new one.
  let Loaded = loadPart();
  function Part(props: Props) {
    const [attempt, setAttempt] = useState(1);
    // React shows a lazy component up to 300 ms late: what is typed until then would be lost.
    const [Ready] = useState(() => preloaded);
    if (Ready !== null) return <Ready {...props} />;
    return (
      <Suspense fallback={waiting}>
        <Loaded
          key={attempt}
          {...props}
          onRetry={() => {
            Loaded = loadPart();
            setAttempt(attempt + 1);
          }}
        />
      </Suspense>
    );
  }
  async function preload(): Promise<void> {
    try {
      preloaded = await load();
    } catch {
      // A failure shows when the part is opened.
    }
  }
  return Object.assign(Part, { preload });
}
