import { useMay } from '../../api/session.tsx'
import type { Data, Schema } from '../../api/types.ts'
import { useApi } from '../../api/use-api.ts'
import { Loaded, Section } from '../../parts/frame/page.tsx'
import { LIMITS, type Limits, type Listed } from './limits.ts'
import { LimitsFacts } from './limits-facts.tsx'
import { LimitsForm } from './limits-form.tsx'

/** What Weir may deposit where on its own. */
export function DepositLimits() {
  const may = useMay()
  const limits = useApi<Limits>(LIMITS)
  const venues = useApi<Data<'listVenues'>>('/v1/venues')
  return (
    <Section title="Deposit limits">
      <Loaded query={limits} height={560}>
        {(inForce) => (
          <Loaded query={venues} height={560}>
            {({ venues: list }) => {
              const listed = list.flatMap(listedIn)
              return may.administer ? (
                <LimitsForm inForce={inForce} listed={listed} />
              ) : (
                <LimitsFacts inForce={inForce} listed={listed} />
              )
            }}
          </Loaded>
        )}
      </Loaded>
    </Section>
  )
}

const listedIn = ({ name: venue, protocol, blockchain, strategies }: Schema<'Venue'>): Listed[] =>
  strategies.map(({ strategyId, name, token }) => ({ strategyId, name, token, venue, protocol, blockchain }))
