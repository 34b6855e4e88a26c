import { useEffect, useRef } from 'react';
import { styled } from 'styled-components';
import { Link, useLocation } from 'wouter';
import { Row } from '#client/admin/kit/layout.tsx';
import { media, token } from '#client/theme/tokens.ts';
import { Badge } from '#client/ui/Badge.tsx';
import { IconButton } from '#client/ui/Button.tsx';
import { CirclePause, Ellipsis, Pencil } from '#client/ui/Icon.tsx';
import { Menu, type MenuItem } from '#client/ui/Menu.tsx';
import { Picture } from '#client/ui/Picture.tsx';
import { VisuallyHidden } from '#client/ui/Section.tsx';
import {
  type AdminProvider,
  type ProviderFigures,
  type ProviderPart,
  ratedMin,
} from '#shared/admin/adminProviders.ts';
import { toProviderView } from '#shared/providers/providerView.ts';
import { providerCopy } from './copy.ts';
import { buildLeadsHref } from './leadsHref.ts';

/** Equal for every row. */
export interface RowContext {
  /** The configured WordPress site. */
  wordpressUrl: string | null;
  buildHref: (id: number, part?: ProviderPart) => string;
  canChange: boolean;
  /** Undefined while they load. */
  figures: ReadonlyMap<number, RowFigures> | undefined;
  /** The provider whose page was open last: its link gets the focus back. */
  lastId: number | null;
}

type RowFigures = ProviderFigures['providers'][number];

/** One provider: status, name, number of leads and contact. */
export function ProviderRow({ provider, row }: { provider: AdminProvider; row: RowContext }) {
  const { id, name, status } = provider;
  const view = toProviderView(provider);
  const edit = editHref(provider, row.wordpressUrl);
  const isActive = status === 't';
  const link = useRef<HTMLAnchorElement>(null);
  const isLast = row.lastId === id;
  useEffect(() => {
    if (isLast && document.activeElement === document.body) link.current?.focus();
  }, [isLast]);
  return (
    <Line data-provider={id}>
      <Face src={view.imageUrl} alt="" fallback={<Initial aria-hidden="true">{view.initial}</Initial>} />
      <Who>
        <Row $gap="0.125rem 0.5rem">
          <Name>
            <Dot $isActive={isActive} data-status={isActive ? 'active' : 'inactive'} />
            <VisuallyHidden>{isActive ? providerCopy.active : providerCopy.inactive}: </VisuallyHidden>
            <Link ref={link} href={row.buildHref(id)}>
              {name}
            </Link>
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
          {provider.paused ? <PausedBadge /> : null}
          {provider.unreachable === null ? null : (
            <Badge tone="danger">{providerCopy.unreachable.short(provider.unreachable)}</Badge>
          )}
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
          {row.figures === undefined ? null : <span>{figuresText(row.figures.get(id))}</span>}
        </Links>
      </Who>
      <RowMenu id={id} name={name} row={row} />
    </Line>
  );
}

export function PausedBadge() {
  return (
    <Badge tone="warning">
      <CirclePause />
      {providerCopy.paused}
    </Badge>
  );
}

/** '3 this month · 62% reached, 24% booked' */
function figuresText({ thisMonth, leads, reached, booked }: Omit<RowFigures, 'id'> = noFigures): string {
  const copy = providerCopy.figures;
  const share = (part: number): string => `${Math.round((100 * part) / leads)}%`;
  const rates = leads < ratedMin ? copy.few : copy.rates(share(reached), share(booked));
  return `${copy.thisMonth(thisMonth)} · ${rates}`;
}

const noFigures = { thisMonth: 0, leads: 0, reached: 0, booked: 0 } as const;

/** The parts of a provider's page. */
function RowMenu({ id, name, row }: { id: number; name: string; row: RowContext }) {
  const [, navigate] = useLocation();
  const open = (key: string, label: string, href: string): MenuItem => ({
    key,
    label,
    onSelect: () => navigate(href),
  });
  const { form, settings, domain, allLeads, more } = providerCopy;
  return (
    <Menu
      label={more(name)}
      trigger={
        <IconButton type="button">
          <Ellipsis />
        </IconButton>
      }
      items={[
        ...(row.canChange
          ? [
              open('settings', settings, row.buildHref(id, 'settings')),
              open('details', form.open, row.buildHref(id, 'details')),
            ]
          : []),
        open('domain', domain.open, row.buildHref(id, 'domain')),
        open('leads', allLeads, buildLeadsHref({ providerId: id })),
      ]}
    />
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
  grid-template-columns: auto minmax(0, 1fr) auto;
  align-items: center;
  gap: 0 0.75rem;
  padding: 0.5rem 0.25rem;
  font-size: 0.875rem;
  line-height: 1.35;
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

  & > a {
    ${media.touch} {
      display: inline-block;
      min-inline-size: 2.75rem;
      padding-block: 0.75rem;
    }
  }
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
  align-items: center;
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
