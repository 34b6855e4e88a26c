import { type ComponentType, lazy, type ReactNode, Suspense, useState } from 'react';
import { CardSkeleton } from '#client/admin/insights/CardSkeleton.tsx';
import { LoadFailure } from '#client/admin/kit/LoadFailure.tsx';
import { loadPanels } from '#client/ui/loadedOnPress.tsx';
import { adminCopy, adminMessages } from '#shared/admin/copy.ts';

export const LazyProviders = lazyPart({
  load: async () => (await import('#client/admin/providers/ProvidersTab.tsx')).ProvidersTab,
});

export const LazyApplications = lazyPart({
  load: async () => (await import('#client/admin/applications/ApplicationsTab.tsx')).ApplicationsTab,
});

export const LazyDeliveries = lazyPart({
  load: async () => (await import('#client/admin/deliveries/DeliveriesTab.tsx')).DeliveriesTab,
});

/** The charts are larger than the rest of the dashboard. */
export const LazyInsights = lazyPart({
  load: async () => (await import('#client/admin/insights/InsightsTab.tsx')).InsightsTab,
  waiting: <CardSkeleton label={adminCopy.busy} />,
});

/** Most installations have a mail server and never open it. */
export const LazyUnsentMail = lazyPart({
  load: async () => (await import('#client/admin/unsentMail/UnsentMail.tsx')).UnsentMail,
});

/** Only owners open it. */
export const LazyWebhooks = lazyPart({
  load: async () => (await import('#client/admin/webhooks/WebhooksTab.tsx')).WebhooksTab,
});

export const LazyTeam = lazyPart({
  load: async () => (await import('#client/admin/settings/TeamTab.tsx')).TeamTab,
});

export const LazyTokens = lazyPart({
  load: async () => (await import('#client/admin/settings/TokensTab.tsx')).TokensTab,
});

export const LazyClaims = lazyPart({
  load: async () => (await import('#client/admin/settings/ClaimsTab.tsx')).ClaimsTab,
});

export const LazyAudit = lazyPart({
  load: async () => (await import('#client/admin/settings/AuditTab.tsx')).AuditTab,
});

export const LazyLeadDrawer = lazyPart({
  load: async () => (await import('#client/admin/leads/drawer/LeadDrawer.tsx')).LeadDrawer,
  waiting: null,
});

export const LazyOwnAccount = lazyPart({
  load: async () => (await import('#client/admin/signIn/OwnAccount.tsx')).OwnAccount,
  waiting: null,
});

export const LazyHelp = lazyPart({
  load: async () => (await import('./Help.tsx')).Help,
  waiting: null,
});

export const LazyCommandPalette = lazyPart({
  load: async () => (await import('./CommandPalette.tsx')).CommandPalette,
  waiting: null,
});

/** Loads what most staff open soon, while the browser has nothing else to do. Returns a function that stops it. */
export function preloadParts(): () => void {
  const load = (): void => {
    loadPanels();
    for (const part of [LazyLeadDrawer, LazyCommandPalette, LazyProviders]) void part.preload();
  };
  // Safari has no requestIdleCallback.
  if (!('requestIdleCallback' in window)) return () => undefined;
  const idle = requestIdleCallback(load);
  return () => cancelIdleCallback(idle);
}

interface FailureProps {
  onRetry: () => void;
}

interface LazyPartOptions<Props> {
  load: () => Promise<FunctionComponent<Props>>;
  /** Rendered until the code is loaded. */
  waiting?: ReactNode;
}

type FunctionComponent<Props> = (props: Props) => ReactNode;
type LazyPart<Props> = FunctionComponent<Props> & { preload: () => Promise<unknown> };

/** A tab or an overlay whose code is loaded when it is first opened: staff who never open it don't load it. */
function lazyPart<Props extends object>({
  load,
  waiting = <output>{adminCopy.busy}</output>,
}: LazyPartOptions<Props>): LazyPart<Props> {
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

  // A lazy component keeps its result, also a failure. A retry creates a new one.
  let Loaded = loadPart();
  function Part(props: Props) {
    const [attempt, setAttempt] = useState(1);
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
  // A failure shows when the part is opened.
  return Object.assign(Part, { preload: () => load().catch(() => null) });
}
