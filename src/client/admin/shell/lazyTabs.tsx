import { type ComponentType, lazy, type ReactNode, Suspense, useState } from 'react';
import { deliveryListCopy } from '#client/admin/deliveries/copy.ts';
import { CardSkeleton } from '#client/admin/insights/CardSkeleton.tsx';
import { insightCopy } from '#client/admin/insights/copy.ts';
import { LoadFailure } from '#client/admin/kit/LoadFailure.tsx';
import { unsentMailCopy } from '#client/admin/unsentMail/copy.ts';
import { endpointCopy } from '#client/admin/webhooks/copy.ts';
import { adminCopy, adminMessages } from '#shared/admin/copy.ts';

export const LazyApplications = lazyTab({
  load: async () => (await import('#client/admin/applications/ApplicationsTab.tsx')).ApplicationsTab,
  waiting: <output>{adminCopy.busy}</output>,
  failed: adminMessages.applicationsFailed,
});

export const LazyDeliveries = lazyTab({
  load: async () => (await import('#client/admin/deliveries/DeliveriesTab.tsx')).DeliveriesTab,
  waiting: <output>{deliveryListCopy.loading}</output>,
  failed: deliveryListCopy.codeFailed,
});

/** The charts are larger than the rest of the dashboard. */
export const LazyInsights = lazyTab({
  load: async () => (await import('#client/admin/insights/InsightsTab.tsx')).InsightsTab,
  waiting: <CardSkeleton label={insightCopy.loading} />,
  failed: insightCopy.codeFailed,
});

/** Most installations have a mail server and never open it. */
export const LazyUnsentMail = lazyTab({
  load: async () => (await import('#client/admin/unsentMail/UnsentMail.tsx')).UnsentMail,
  waiting: <output>{unsentMailCopy.loading}</output>,
  failed: unsentMailCopy.codeFailed,
});

/** Only owners open it. */
export const LazyWebhooks = lazyTab({
  load: async () => (await import('#client/admin/webhooks/WebhooksTab.tsx')).WebhooksTab,
  waiting: <output>{endpointCopy.loading}</output>,
  failed: endpointCopy.codeFailed,
});

interface FailureProps {
  onRetry: () => void;
}

interface LazyTabOptions {
  load: () => Promise<() => ReactNode>;
  /** Rendered until the code is loaded. */
  waiting: ReactNode;
  /** The message when the code fails to load. */
  failed: string;
}

/** A tab whose code is loaded when it is first opened: staff who never open it don't load it. */
function lazyTab({ load, waiting, failed }: LazyTabOptions): ComponentType {
  function loadTab(): ComponentType<FailureProps> {
    return lazy(async (): Promise<{ default: ComponentType<FailureProps> }> => {
      try {
        return { default: await load() };
      } catch (error) {
        return { default: (props) => <LoadFailure error={error} fallback={failed} {...props} /> };
      }
    });
  }

  // A lazy component keeps its result, also a failure. A retry creates a new one.
  let Loaded = loadTab();
  return function LazyTab() {
    const [attempt, setAttempt] = useState(1);
    return (
      <Suspense fallback={waiting}>
        <Loaded
          key={attempt}
          onRetry={() => {
            Loaded = loadTab();
            setAttempt(attempt + 1);
          }}
        />
      </Suspense>
    );
  };
}
