import { adminApi } from '#client/admin/kit/adminApi.tsx';
import { ActionButton } from '#client/admin/kit/ActionButton.tsx';
import { Row, Stack } from '#client/admin/kit/layout.tsx';
import type { InsightsRange } from '#shared/admin/insights.ts';
import { DeliveryCard } from './DeliveryCard.tsx';
import { DemandCard } from './DemandCard.tsx';
import { FirstContactCard, FirstDeliveryCard } from './TimesCards.tsx';
import { FormsCard } from './FormsCard.tsx';
import { keptOptions } from './InsightCard.tsx';
import { LeadsCard } from './LeadsCard.tsx';
import { MatchCard } from './MatchCard.tsx';
import { PagesCard } from './PagesCard.tsx';
import { ProvidersCard } from './ProvidersCard.tsx';
import { RangeBar } from './RangeBar.tsx';
import { SummaryCard } from './SummaryCard.tsx';
import { WeeklyEmail } from './WeeklyEmail.tsx';
import { insightCopy } from './copy.ts';
import { useInsightRange } from './insightRange.ts';

/** The key figures, the funnel and the providers of a range of days; the charts on request. */
export function InsightsTab() {
  const control = useInsightRange();
  const { range, hasCharts, showCharts } = control;
  const query = adminApi.admin.insights.summary.useQuery(range, keptOptions);
  if (query.data?.hasLeads === false) return <p>{insightCopy.noLeads}</p>;
  return (
    <Stack $gap="1.25rem">
      <RangeBar control={control} />
      <SummaryCard range={range} query={query} />
      <PagesCard range={range} />
      <ProvidersCard range={range} />
      <Row $gap="1.25rem">
        <ActionButton aria-expanded={hasCharts} onClick={() => showCharts(!hasCharts)}>
          {hasCharts ? insightCopy.hideCharts : insightCopy.showCharts}
        </ActionButton>
        <WeeklyEmail zone={range.zone} />
      </Row>
      {hasCharts ? <Charts range={range} /> : null}
    </Stack>
  );
}

function Charts({ range }: { range: InsightsRange }) {
  const leads = adminApi.admin.insights.leadsByDay.useQuery(range, keptOptions);
  return (
    <>
      <LeadsCard range={range} query={leads} />
      <FormsCard range={range} />
      <MatchCard range={range} query={leads} />
      <FirstDeliveryCard range={range} />
      <FirstContactCard range={range} />
      <DeliveryCard range={range} leads={leads} />
      <DemandCard range={range} />
    </>
  );
}
