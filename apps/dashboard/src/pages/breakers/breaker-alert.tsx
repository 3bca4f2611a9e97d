import { Alert } from '@mantine/core'
import { LightText, PageLink } from '../../parts/light.tsx'
import { type Breaker, because, breakerName } from './breaker-text.ts'

/** Says which strategies take no deposits of Weir's own, and why. */
export function BreakerAlert({ breakers }: { readonly breakers: readonly Breaker[] }) {
  if (breakers.length === 0) return null
  const title = `${breakers.length} circuit ${breakers.length === 1 ? 'breaker stops' : 'breakers stop'} deposits`
  return (
    <Alert color={breakers.some(({ state }) => state === 'open') ? 'red' : 'yellow'} title={title}>
      {breakers.map((breaker) => (
        <LightText key={`${breaker.strategyId} ${breaker.kind}`} size="sm">
          <PageLink to="/app/venues" search={{ tab: 'breakers' }} c="inherit" underline="always">
            {breaker.strategyName}
          </PageLink>
          , {breakerName(breaker.kind).toLowerCase()}
          {breaker.state === 'recovering' ? ', recovering' : ''}. {because(breaker)}
        </LightText>
      ))}
    </Alert>
  )
}
