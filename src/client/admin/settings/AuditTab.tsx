import { keepPreviousData } from '@tanstack/react-query';
import { useState } from 'react';
import { styled } from 'styled-components';
import { adminApi } from '#client/admin/kit/adminApi.tsx';
import { token } from '#client/theme/tokens.ts';
import { Button } from '#client/ui/Button.tsx';
import { Table, TableFrame } from '#client/ui/Table.tsx';
import type { AuditLine, AuditListInput } from '#shared/admin/audit.ts';
import { auditCopy, settingsCopy } from '#client/admin/settings/copy.ts';
import { AuditFilters } from './AuditFilters.tsx';
import { utcText } from './utcText.ts';
import { Empty, SettingsFrame } from '../kit/SettingsFrame.tsx';

type Filter = Omit<AuditListInput, 'before'>;

/** Who did what, when, from where; for owners. */
export function AuditTab() {
  const [filter, setFilter] = useState<Filter>({});
  /** Where each page begins; the first has no beginning. */
  const [begins, setBegins] = useState<readonly number[]>([]);
  const before = begins.at(-1);
  const page = adminApi.audit.list.useQuery(
    { ...filter, ...(before === undefined ? {} : { before }) },
    { refetchOnMount: 'always', placeholderData: keepPreviousData },
  );
  const next = page.data?.next ?? null;
  return (
    <SettingsFrame
      lead={auditCopy.lead}
      error={page.error}
      fallback={settingsCopy.loadFailed.audit}
      isLoading={page.isLoading}
    >
      <AuditFilters
        onApply={(chosen) => {
          setFilter(chosen);
          setBegins([]);
        }}
      />
      {page.data?.lines.length === 0 ? <Empty>{auditCopy.empty}</Empty> : null}
      {page.data === undefined || page.data.lines.length === 0 ? null : (
        <Lines lines={page.data.lines} isBusy={page.isFetching} />
      )}
      <Paging aria-label={auditCopy.paging}>
        <Button
          variant="secondary"
          disabled={begins.length === 0}
          onClick={() => setBegins(begins.slice(0, -1))}
        >
          {auditCopy.newer}
        </Button>
        <Button
          variant="secondary"
          disabled={next === null}
          onClick={() => (next === null ? undefined : setBegins([...begins, next]))}
        >
          {auditCopy.older}
        </Button>
      </Paging>
    </SettingsFrame>
  );
}

function Lines({ lines, isBusy }: { lines: readonly AuditLine[]; isBusy: boolean }) {
  const { columns } = auditCopy;
  return (
    <TableFrame label={auditCopy.caption} isBusy={isBusy}>
      <Table>
        <thead>
          <tr>
            <th scope="col">{columns.at}</th>
            <th scope="col">{columns.actor}</th>
            <th scope="col">{columns.action}</th>
            <th scope="col">{columns.subject}</th>
            <th scope="col">{columns.ip}</th>
            <th scope="col">{columns.detail}</th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <tr key={line.id}>
              <Fixed>
                <time dateTime={line.at}>{utcText(line.at)}</time>
              </Fixed>
              <td>
                {line.actor.name} <Muted>({auditCopy.kinds[line.actor.kind]})</Muted>
              </td>
              <td>{line.action}</td>
              <td>{line.subject === null ? '' : `${line.subject.kind} ${line.subject.id}`}</td>
              <td>{line.ip ?? auditCopy.onServer}</td>
              <td>{line.detail === null ? '' : detailText(line.detail)}</td>
            </tr>
          ))}
        </tbody>
      </Table>
    </TableFrame>
  );
}

function detailText(detail: Record<string, unknown>): string {
  return Object.entries(detail)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ');
}

const Fixed = styled.td`
  white-space: nowrap;
`;

const Muted = styled.span`
  color: ${token.muted};
`;

const Paging = styled.nav`
  display: flex;
  justify-content: space-between;
  margin-block-start: 1rem;
`;
