import { Alert, Anchor, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { type Breaker, because, breakerName } from './use-breakers.ts'

/** Says which strategies take no deposits of Weir's own, and why. */
export function BreakerAlert({ breakers }: { readonly breakers: readonly Breaker[] }) {
  if (breakers.length === 0) return null
  const title = `${breakers.length} circuit ${breakers.length === 1 ? 'breaker stops' : 'breakers stop'} deposits`
  return (
    <Alert color={breakers.some(({ state }) => state === 'open') ? 'red' : 'yellow'} title={title}>
      {breakers.map((breaker) => (
        <Text key={`${breaker.strategyId} ${breaker.kind}`} size="sm">
          <Anchor
            component={Link}
            to={'/app/venues' as never}
            search={{ tab: 'breakers' } as never}
            c="inherit"
            underline="always"
          >
            {breaker.strategyName}
          </Anchor>
          , {breakerName(breaker.kind).toLowerCase()}
          {breaker.state === 'recovering' ? ', recovering' : ''}. {because(breaker)}
        </Text>
      ))}
    </Alert>
  )
}
