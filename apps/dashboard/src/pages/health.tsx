import { Alert, Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { HEALTH, MONITORED } from '../api/paths.ts'
import { useMay, useSession } from '../api/session.tsx'
import type { Schema } from '../api/types.ts'
import { useApi } from '../api/use-api.ts'
import { isSilent } from '../lib/text/silence.ts'
import { Curl } from '../parts/curl.tsx'
import { Empty, Loaded, Page, Section } from '../parts/frame/page.tsx'
import { columnsFor } from '../parts/tables/columns.tsx'
import { paged } from '../parts/tables/data-table.tsx'
import { SmallTable } from '../parts/tables/small-table.tsx'
import { FirstWallet } from '../parts/treasury/first-steps.tsx'

type Facts = Schema<'OrganizationHealth'>

/** A wallet with fewer transactions left should be funded. */
const LOW_GAS = 20

const agents = columnsFor<Facts['agents'][number]>()
const chains = columnsFor<Facts['chains'][number]>()
const gas = columnsFor<Facts['gas'][number]>()
const quarantined = columnsFor<Facts['quarantined'][number]>()
const activity = (iso: string) => (isSilent(iso, Date.now()) ? 'silent' : 'active')

/** As many wallets as the service reads for this page. */
const ROWS_MAX = 100

/** Says of how many wallets the gas is shown: one that is left out may be empty while the others have enough. */
function CutGas() {
  const wallets = useApi<Schema<'OperationalWallet'>[]>(paged(MONITORED, 0, 1))
  const total = wallets.data?.total ?? 0
  return (
    <Alert color="yellow" m="md" mt={0} title="Not every wallet is shown">
      The gas of the {ROWS_MAX} oldest wallets is read
      {total > ROWS_MAX ? `; the organization has ${total} operational wallets, counted by token` : ''}. A newer one may
      have none left.
    </Alert>
  )
}

/** The way to an agent: the sandbox runs one, elsewhere a person installs it. */
function FirstAgent() {
  const may = useMay()
  const { environment } = useSession()
  if (!may.administer) return null
  return environment === 'sandbox' ? (
    <Button component={Link} to={'/app/sandbox' as never} variant="default">
      Run an agent
    </Button>
  ) : (
    <Button component="a" href="/docs/agent" variant="default">
      How to run an agent
    </Button>
  )
}

/** What the organization depends on: its agents, the chains, the gas of its wallets, and what could not be settled. */
export function Health() {
  const health = useApi<Facts>(HEALTH)
  return (
    <Page
      title="Health"
      description="Agents, chains, gas and quarantined wallets"
      actions={<Curl method="GET" path={HEALTH} />}
    >
      <Loaded query={health} height={720}>
        {(facts) => (
          <>
            <Section title="Agents" pad={facts.agents.length === 0}>
              {facts.agents.length === 0 ? (
                <Empty title="No agent polled in the last seven days" action={<FirstAgent />}>
                  Operational wallets need an agent: it signs what Weir plans.
                </Empty>
              ) : (
                <SmallTable
                  label="Agents"
                  rows={facts.agents}
                  id={({ keyId }) => keyId}
                  columns={[
                    agents.text('Key', 'keyName'),
                    agents.state('State', ({ polledAt }) => activity(polledAt)),
                    agents.time('Last polled', 'polledAt'),
                  ]}
                />
              )}
            </Section>
            <Section title="Chains" pad={false}>
              <SmallTable
                label="Chains"
                rows={facts.chains}
                id={({ blockchain }) => blockchain}
                columns={[
                  chains.chain('blockchain'),
                  chains.state('State', ({ movedAt }) => activity(movedAt)),
                  chains.text('Settled block', 'settledBlock', { right: true }),
                  chains.text('Newest block', 'headBlock', { right: true, wide: true }),
                  chains.time('Last block', 'movedAt'),
                ]}
              />
            </Section>
            <Section title="Gas" pad={facts.gas.length === 0}>
              {facts.gas.length === 0 ? (
                <Empty title="No operational wallet yet" action={<FirstWallet />}>
                  Each needs native coins for its transactions.
                </Empty>
              ) : (
                <>
                  {facts.gas.length >= ROWS_MAX && <CutGas />}
                  <SmallTable
                    label={facts.gas.length < ROWS_MAX ? 'Gas' : `Gas of the ${ROWS_MAX} oldest wallets`}
                    rows={facts.gas}
                    id={({ walletId }) => walletId}
                    columns={[
                      gas.hash('Wallet', 'address', {
                        label: 'label',
                        chain: 'blockchain',
                      }),
                      gas.chain('blockchain'),
                      gas.state(
                        'State',
                        ({ transactionsLeft: left }) => (left === null ? null : left < LOW_GAS ? 'low' : 'enough'),
                        { wide: true },
                      ),
                      gas.text('Transactions left', 'transactionsLeft', { right: true }),
                    ]}
                  />
                </>
              )}
            </Section>
            <Section title="Quarantined wallets" pad={facts.quarantined.length === 0}>
              {facts.quarantined.length === 0 ? (
                <Empty title="Every wallet is settled">
                  A wallet that cannot be settled waits here for its next attempt; the others continue.
                </Empty>
              ) : (
                <>
                  {facts.quarantined.length >= ROWS_MAX && (
                    <Alert color="yellow" m="md" mt={0}>
                      These are the {ROWS_MAX} that have waited longest. There may be more.
                    </Alert>
                  )}
                  <SmallTable
                    label={
                      facts.quarantined.length < ROWS_MAX
                        ? 'Quarantined wallets'
                        : `The ${ROWS_MAX} wallets quarantined longest`
                    }
                    rows={facts.quarantined}
                    id={({ walletId }) => walletId}
                    columns={[
                      quarantined.hash('Wallet', 'address', {
                        label: 'label',
                        chain: 'blockchain',
                      }),
                      quarantined.text('Attempts', 'attempts', { right: true, wide: true }),
                      quarantined.time('Since', 'since'),
                      quarantined.time('Tried again', 'nextAttemptAt'),
                    ]}
                  />
                </>
              )}
            </Section>
          </>
        )}
      </Loaded>
    </Page>
  )
}
