import { memo, type ReactNode } from 'react';
import { styled } from 'styled-components';
import { Link } from 'wouter';
import { RowCheckbox } from '#client/admin/kit/RowCheckbox.tsx';
import type { Selection } from '#client/admin/kit/listHooks.ts';
import { BriefTime } from '#client/admin/kit/RelativeTime.tsx';
import { token } from '#client/theme/tokens.ts';
import { Mail, Phone, UserRoundPlus } from '#client/ui/Icon.tsx';
import { VisuallyHidden } from '#client/ui/Section.tsx';
import { Skeleton } from '#client/ui/Skeleton.tsx';
import type { AdminLead } from '#shared/admin/adminLeads.ts';
import { leadCopy } from '#shared/admin/leadCopy.ts';
import { phoneHref } from '#shared/leads/phone.ts';
import { AssignPicker, Clipped, CrmMark, LeadBadges, Line, ProviderStatus } from './LeadCells.tsx';
import { DeleteButton, listCardItems, RetryButtons, RowMenu } from './RowButtons.tsx';
import { leadName } from './copy.ts';
import { StageTrack } from './StageTrack.tsx';
import type { RowContext } from './useLeadActions.ts';

interface LeadCardsProps extends RowContext {
  /** Null while they load. */
  leads: readonly AdminLead[] | null;
  isBusy: boolean;
  /** The lead whose change is pending. */
  busyId: number | null;
  selection: Selection;
  empty: ReactNode;
}

const skeletons = [1, 2, 3, 4, 5] as const;

/** The leads of a phone. */
export function LeadCards({ leads, isBusy, busyId, selection, empty, ...context }: LeadCardsProps) {
  if (leads?.length === 0) return empty;
  return (
    <Cards
      aria-label={leadCopy.caption}
      aria-busy={leads === null || isBusy}
      data-table-frame=""
      tabIndex={-1}
    >
      {leads === null
        ? skeletons.map((card) => (
            <Card key={card} data-skeleton="">
              <Skeleton $width="60%" />
            </Card>
          ))
        : leads.map((lead) => (
            <LeadCard
              key={lead.id}
              lead={lead}
              isBusy={busyId === lead.id}
              isSelected={selection.has(lead.id)}
              onSelect={selection.select}
              {...context}
            />
          ))}
    </Cards>
  );
}

interface LeadCardProps extends RowContext {
  lead: AdminLead;
  isBusy: boolean;
  isSelected: boolean;
  onSelect: Selection['select'];
}

/** Renders again only if its own props changed. */
const LeadCard = memo(renderCard);

function renderCard({
  lead,
  isBusy,
  isSelected,
  onSelect,
  now,
  buildHref,
  actions,
  isDeleted,
}: LeadCardProps) {
  const name = leadName(lead);
  const { id, isErased, provider_id: providerId, provider } = lead;
  const changing = isDeleted ? null : actions;
  const providerName =
    providerId === null
      ? `${leadCopy.badges.unmatched} · ${lead.zip_code}`
      : (provider?.name ?? leadCopy.unknownProvider(providerId));
  return (
    <Card data-lead={id} aria-busy={isBusy} data-chosen={isSelected ? '' : undefined}>
      <Top>
        <Words data-cell="contact">
          <Open href={buildHref(id)}>
            <VisuallyHidden>{leadCopy.open('')}</VisuallyHidden>
            <Line>
              <Clipped as="strong">{name}</Clipped>
              <LeadBadges lead={lead} />
            </Line>
            <Line>
              <ProviderName>{providerName}</ProviderName>
              <ProviderStatus lead={lead} now={now} />
            </Line>
          </Open>
        </Words>
        {actions === null || isErased ? null : (
          <RowCheckbox
            label={leadCopy.select(name)}
            isChecked={isSelected}
            onCheck={(isChecked) => onSelect(id, isChecked)}
          />
        )}
      </Top>
      <Bottom>
        <When>
          <StageTrack stage={lead.stage} now={now} />
          <BriefTime iso={lead.created_at} now={now} />
        </When>
        {isErased ? null : (
          <>
            <Reach href={phoneHref(lead.phone)} aria-label={leadCopy.call(name)}>
              <Phone />
            </Reach>
            <Reach href={`mailto:${lead.email}`} aria-label={leadCopy.email(name)}>
              <Mail />
            </Reach>
          </>
        )}
        {changing === null ? null : (
          <span data-cell="provider">
            <AssignPicker lead={lead} isBusy={isBusy} actions={changing}>
              <UserRoundPlus />
            </AssignPicker>
          </span>
        )}
        {changing === null ? null : (
          <>
            <RowMenu lead={lead} actions={changing} items={listCardItems({ lead, actions: changing })} />
            {/* For screen readers, and for keys. For fingers, the same is in the menu. */}
            <VisuallyHidden>
              <CrmMark lead={lead} />
            </VisuallyHidden>
            <Hidden>
              <RetryButtons {...{ lead, actions: changing, isBusy }} />
              <DeleteButton {...{ lead, actions: changing, isBusy, isDeleted }} />
            </Hidden>
          </>
        )}
        {isDeleted && actions !== null ? <DeleteButton {...{ lead, actions, isBusy, isDeleted }} /> : null}
      </Bottom>
    </Card>
  );
}

const Cards = styled.ul`
  --badge-block: 0;
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  border-block-start: 1px solid ${token.line};
  font-size: 0.8125rem;
  font-variant-numeric: tabular-nums;
  line-height: 1.25rem;
`;

const Card = styled.li`
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  padding-block: 0.25rem;
  border-block-end: 1px solid ${token.line};

  &[data-chosen] {
    background: ${token.tint};
  }
`;

const Top = styled.div`
  display: flex;
  align-items: center;
  justify-content: space-between;
`;

const Words = styled.div`
  flex: 1;
  min-inline-size: 0;

  & [data-status] {
    display: flex;
    flex: 1 1 auto;
    flex-wrap: wrap;
    gap: 0 0.375rem;
    block-size: 1.25rem;
    overflow: hidden;
  }

  & p {
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
`;

/** Beside a status, as wide as its text, up to half of the line. */
const ProviderName = styled(Clipped)`
  &:not(:only-child) {
    flex: none;
    max-inline-size: 50%;
  }
`;

/** Both lines, so that a finger hits it. */
const Open = styled(Link)`
  display: grid;
  align-content: center;
  min-block-size: 2.75rem;
  color: inherit;
  text-decoration: none;

  & > div {
    min-block-size: 1.375rem;
  }
`;

const Bottom = styled.div`
  position: relative;
  display: flex;
  align-items: center;
  gap: 0.25rem;

  & button {
    inline-size: 2.75rem;
    block-size: 2.75rem;
    padding: 0;
    color: ${token.ink};
  }

  /* Of the list of providers, one icon is enough. */
  & [data-cell='provider'] svg + svg {
    display: none;
  }
`;

const When = styled.span`
  flex: 1;
  min-inline-size: 0;
  overflow: hidden;

  /* One line. */
  & time {
    display: block;
    overflow: hidden;
    text-overflow: ellipsis;
  }
`;

const Reach = styled.a`
  display: grid;
  place-items: center;
  flex: none;
  inline-size: 2.75rem;
  block-size: 2.75rem;
  color: ${token.ink};

  & > svg {
    inline-size: 1.125rem;
    block-size: 1.125rem;
  }
`;

const Hidden = styled(VisuallyHidden)`
  inset-inline-start: 0;
  /* In the place of the date, so that nothing moves. */
  &:focus-within {
    display: flex;
    align-items: center;
    inline-size: auto;
    block-size: auto;
    margin: 0;
    background: ${token.background};
    clip-path: none;
  }
`;
