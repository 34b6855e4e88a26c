import { Fact, FactList, Facts } from '#client/admin/kit/Facts.tsx';
import { Instant } from '#client/admin/kit/RelativeTime.tsx';
import { Muted } from '#client/admin/kit/layout.tsx';
import type { ProviderDetail } from '#shared/admin/adminProviders.ts';
import { typedFields } from '#shared/providers/providerFieldLists.ts';
import { providerCopy } from '../copy.ts';
import { editHref } from '../ProviderRow.tsx';
import { detailFields } from '../settingsValues.ts';
import { syncMessages } from '../sync/copy.ts';
import { useRuns } from '../sync/syncRuns.ts';
import { pageCopy } from './copy.ts';

const copy = pageCopy.source;

/** Where a provider's record comes from, and who owns which field. */
export function ProviderSource({ detail: { provider, wordpressUrl } }: { detail: ProviderDetail }) {
  const { data: runs } = useRuns();
  const { wordpress_id: wordpressId } = provider;
  if (wordpressId === null)
    return (
      <Facts title={copy.title}>
        <p>{copy.own}</p>
      </Facts>
    );
  const last = runs?.find(({ outcome, dryRun }) => outcome === 'done' && !dryRun);
  const href = editHref(provider, wordpressUrl);
  return (
    <Facts title={copy.title}>
      <FactList>
        <Fact name={copy.record}>
          {copy.wordpressId(wordpressId)}{' '}
          {href === null ? null : (
            <a
              href={href}
              target="_blank"
              rel="noopener noreferrer"
              aria-label={providerCopy.editLabel(provider.name)}
            >
              {providerCopy.form.openWordPress}
            </a>
          )}
        </Fact>
        <Fact name={copy.last}>
          {last === undefined ? (
            copy.never
          ) : (
            <>
              <Instant iso={last.startedAt} />{' '}
              <Muted>{syncMessages.sourceAndKind(last.source, last.kind)}</Muted>
            </>
          )}
        </Fact>
        <Fact name={copy.syncOwns}>
          {[...typedFields.map((name) => providerCopy.form.labels[name]), copy.status].join(', ')}
        </Fact>
        <Fact name={copy.both}>
          {[...detailFields.map((name) => providerCopy.settingsForm.details[name]), copy.hours].join(', ')}.{' '}
          {copy.bothHint}
        </Fact>
        <Fact name={copy.staffOwn}>{copy.staffFields.join(', ')}</Fact>
      </FactList>
    </Facts>
  );
}
