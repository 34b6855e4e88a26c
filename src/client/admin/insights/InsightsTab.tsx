import { adminApi } from '#client/admin/kit/adminApi.tsx';
import { Stack } from '#client/admin/kit/layout.tsx';
import { DeliveryCard } from './DeliveryCard.tsx';
import { DemandCard } from './DemandCard.tsx';
import { FirstContactCard, FirstDeliveryCard } from './TimesCards.tsx';
import { FormsCard } from './FormsCard.tsx';
import { keptOptions } from './InsightCard.tsx';
import { LeadsCard } from './LeadsCard.tsx';
import { MatchCard } from './MatchCard.tsx';
import { PagesCard } from './PagesCard.tsx';
import { RangeBar } from './RangeBar.tsx';
import { useInsightRange } from './insightRange.ts';

/** A card for each figure, all for the same days. */
export function InsightsTab() {
  const control = useInsightRange();
  const { range } = control;
  const leads = adminApi.admin.insights.leadsByDay.useQuery(range, keptOptions);
  return (
    <Stack $gap="1.25rem">
      <RangeBar control={control} />
      <LeadsCard range={range} query={leads} />
      <FormsCard range={range} />
      <PagesCard range={range} />
      <MatchCard range={range} query={leads} />
      <FirstDeliveryCard range={range} />
      <FirstContactCard range={range} />
      <DeliveryCard range={range} leads={leads} />
      <DemandCard range={range} />
    </Stack>
  );
}
