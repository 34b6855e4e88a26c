import { type Column, DataTable } from '#client/admin/kit/DataTable.tsx';
import { adminApi } from '#client/admin/kit/adminApi.tsx';
import { Muted } from '#client/admin/kit/layout.tsx';
import { adminCopy } from '#shared/admin/copy.ts';
import type { FormCompletion, InsightsRange } from '#shared/admin/insights.ts';
import { InsightCard, keptOptions } from './InsightCard.tsx';
import { Figures } from './charts/FigureSplit.tsx';
import { ShowData } from './ShowData.tsx';
import { formsCopy as copy, insightCopy } from './copy.ts';
import { addUp, share } from './insightDays.ts';

type FormRow = FormCompletion['forms'][number];

/** The lead forms that visitors started, and how many of them they sent. */
export function FormsCard({ range }: { range: InsightsRange }) {
  const query = adminApi.admin.insights.formCompletion.useQuery(range, keptOptions);
  return (
    <InsightCard
      figure="forms"
      range={range}
      copy={copy}
      query={query}
      isEmpty={({ forms }) => addUp(forms, ({ started, sent }) => started + sent) === 0}
      headline={({ forms }) => {
        const [started, sent] = [addUp(forms, (row) => row.started), addUp(forms, (row) => row.sent)];
        return { figure: copy.headline(rateText(started, sent)), note: copy.note(started, sent) };
      }}
    >
      {({ forms }) => (
        <>
          <ShowData title={copy.title}>
            <DataTable
              caption={insightCopy.tableOf(copy.title)}
              columns={columns}
              rows={forms.map((row) => ({ ...row, id: row.form }))}
              as={Figures}
            />
          </ShowData>
          <Muted as="p" $size="0.875rem">
            {copy.scope}
          </Muted>
        </>
      )}
    </InsightCard>
  );
}

const columns: readonly Column<FormRow>[] = [
  { key: 'form', header: copy.form, isRowHeader: true, cell: ({ form }) => copy.names[form] },
  {
    key: 'started',
    header: copy.started,
    align: 'end',
    cell: ({ started }) => started.toLocaleString('en-US'),
  },
  {
    key: 'zip',
    header: copy.zip,
    align: 'end',
    // The form on a provider's site asks for the ZIP with everything else.
    cell: ({ form, zip }) => (form === 'microsite' ? adminCopy.none : zip.toLocaleString('en-US')),
  },
  { key: 'sent', header: copy.sent, align: 'end', cell: ({ sent }) => sent.toLocaleString('en-US') },
  {
    key: 'completed',
    header: copy.completed,
    align: 'end',
    cell: ({ started, sent }) => rateText(started, sent),
  },
];

/** A form started before midnight and sent after it can make more sent than started. */
function rateText(started: number, sent: number): string {
  const rate = share(sent, started);
  return rate === null ? adminCopy.none : insightCopy.percent(Math.min(1, rate));
}
