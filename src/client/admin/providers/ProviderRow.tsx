import { styled } from 'styled-components';
import { ActionButton } from '#client/admin/kit/ActionButton.tsx';
import { Row } from '#client/admin/kit/layout.tsx';
import { media, token } from '#client/theme/tokens.ts';
import { Badge } from '#client/ui/Badge.tsx';
import { CirclePause, Pencil } from '#client/ui/Icon.tsx';
import { Picture } from '#client/ui/Picture.tsx';
import { VisuallyHidden } from '#client/ui/Section.tsx';
import type { AdminProvider } from '#shared/admin/adminProviders.ts';
import { toProviderView } from '#shared/providers/providerView.ts';
import { UnreachableNotice } from './UnreachableNotice.tsx';
import { providerCopy } from './copy.ts';

/** Equal for every row. */
export interface RowContext {
  /** The configured WordPress site. */
  wordpressUrl: string | null;
  onDomain: (id: number) => void;
  /** Null if staff may only read. */
  onSettings: ((id: number) => void) | null;
  onDetails: ((id: number) => void) | null;
}

/** One provider: status, name, number of leads and contact. */
export function ProviderRow({ provider, row }: { provider: AdminProvider; row: RowContext }) {
  const { id, name, status } = provider;
  const view = toProviderView(provider);
  const edit = editHref(provider, row.wordpressUrl);
  const isActive = status === 't';
  return (
    <Line data-provider={id}>
      <Face src={view.imageUrl} alt="" fallback={<Initial aria-hidden="true">{view.initial}</Initial>} />
      <Who>
        <Row $gap="0.125rem 0.5rem">
          <Name>
            <Dot $isActive={isActive} data-status={isActive ? 'active' : 'inactive'} />
            <VisuallyHidden>{isActive ? providerCopy.active : providerCopy.inactive}: </VisuallyHidden>
            {name}
          </Name>
          {edit === null ? null : (
            <Edit
              href={edit}
              target="_blank"
              rel="noopener noreferrer"
              title={providerCopy.edit}
              aria-label={providerCopy.editLabel(name)}
            >
              <Pencil />
            </Edit>
          )}
          <Badge tone="brand">{providerCopy.leads(provider.leadCount)}</Badge>
          {provider.paused ? (
            <Badge tone="warning">
              <CirclePause />
              {providerCopy.paused}
            </Badge>
          ) : null}
        </Row>
        <Detail>{provider.practiceName ?? provider.address ?? provider.zipCode}</Detail>
        <Links>
          {view.phoneHref === null ? null : <a href={view.phoneHref}>{view.phone}</a>}
          {view.websiteHref === null ? null : (
            <a
              href={view.websiteHref}
              target="_blank"
              rel="noopener noreferrer"
              aria-label={providerCopy.websiteLabel(name)}
            >
              {providerCopy.website}
            </a>
          )}
        </Links>
      </Who>
      <RowActions id={id} name={name} row={row} />
      {provider.unreachable === null ? null : (
        <Notice>
          <UnreachableNotice
            provider={provider}
            unreachable={provider.unreachable}
            canSend={row.onSettings !== null}
          />
        </Notice>
      )}
    </Line>
  );
}

function RowActions({ id, name, row }: { id: number; name: string; row: RowContext }) {
  const { onDomain, onSettings, onDetails } = row;
  return (
    <Actions>
      {onDetails === null ? null : (
        <ActionButton
          variant="quiet"
          aria-label={providerCopy.form.editLabel(name)}
          onClick={() => onDetails(id)}
        >
          {providerCopy.form.open}
        </ActionButton>
      )}
      {onSettings === null ? null : (
        <ActionButton
          variant="quiet"
          aria-label={providerCopy.settingsLabel(name)}
          onClick={() => onSettings(id)}
        >
          {providerCopy.settings}
        </ActionButton>
      )}
      <ActionButton variant="quiet" aria-label={providerCopy.domain.label(name)} onClick={() => onDomain(id)}>
        {providerCopy.domain.open}
      </ActionButton>
    </Actions>
  );
}

/** The link that edits a provider in WordPress (default: the site of its page); null for one from elsewhere. */
export function editHref(
  { wordpress_id: id, url }: Pick<AdminProvider, 'wordpress_id' | 'url'>,
  wordpressUrl: string | null = null,
): string | null {
  const site = wordpressUrl ?? url;
  if (id === null || site === null || !URL.canParse(site)) return null;
  const base = new URL(site);
  if (base.protocol !== 'https:' && base.protocol !== 'http:') return null;
  const folder = wordpressUrl === null ? '/' : base.pathname.replace(/\/*$/, '/');
  return `${base.origin}${folder}wp-admin/post.php?post=${id}&action=edit`;
}

const Line = styled.div`
  display: grid;
  grid-template-columns: auto minmax(0, 1fr);
  align-items: center;
  gap: 0 0.75rem;
  padding: 0.5rem 0.25rem;
  font-size: 0.875rem;
  line-height: 1.35;

  ${media.tablet} {
    grid-template-columns: auto minmax(0, 1fr) auto;
  }
`;

/** Below the name; on a phone it has the whole width. */
const Notice = styled.div`
  grid-column: 1 / -1;
  padding-block: 0.375rem;

  ${media.tablet} {
    grid-column: 2 / -1;
  }
`;

const Face = styled(Picture)`
  inline-size: 2.5rem;
  block-size: 2.5rem;
  border-radius: ${token.pill};
  background: ${token.tint};
  object-fit: cover;
`;

const Initial = styled.span`
  display: grid;
  place-items: center;
  inline-size: 2.5rem;
  block-size: 2.5rem;
  border-radius: ${token.pill};
  background: ${token.tint};
  color: ${token.primary};
  font-weight: 700;
`;

const Who = styled.div`
  min-inline-size: 0;
`;

/** On a phone they are below the provider's details. */
const Actions = styled.div`
  display: flex;
  grid-column: 2;
  margin-inline-start: -0.75rem;

  ${media.tablet} {
    display: grid;
    grid-template-columns: auto auto;
    grid-column: 3;
    margin: 0;
  }
`;

const Dot = styled.span<{ $isActive: boolean }>`
  display: inline-block;
  inline-size: 0.625rem;
  block-size: 0.625rem;
  margin-inline-end: 0.5rem;
  border-radius: ${token.pill};
  background: ${({ $isActive }) => ($isActive ? token.success : token.danger)};
`;

const Name = styled.span`
  min-inline-size: 0;
  color: ${token.primary};
  font-size: 0.9375rem;
  font-weight: 600;
  overflow-wrap: anywhere;
`;

const Edit = styled.a`
  display: grid;
  place-items: center;
  inline-size: 1.75rem;
  block-size: 1.75rem;

  ${media.touch} {
    inline-size: 2.75rem;
    block-size: 2.75rem;
  }

  & > svg {
    inline-size: 0.9375rem;
  }
`;

const Detail = styled.p`
  color: ${token.muted};
  overflow: hidden;
  text-overflow: ellipsis;
  white-space: nowrap;
`;

const Links = styled.p`
  display: flex;
  flex-wrap: wrap;
  gap: 0 1rem;
  font-variant-numeric: tabular-nums;

  & a {
    padding-block: 0.1875rem;
    white-space: nowrap;

    ${media.touch} {
      min-inline-size: 2.75rem;
      padding-block: 0.8125rem;
    }
  }
`;
