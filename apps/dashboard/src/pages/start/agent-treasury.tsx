import { Alert, Anchor, Button, Code, Group, Stack, Text } from '@mantine/core'
import { useInterval } from '@mantine/hooks'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { SentRequest } from '../../api/client.ts'
import { HISTORY, MONITORED, QUEUE, SANDBOX_AGENTS } from '../../api/paths.ts'
import type { Data, Schema } from '../../api/types.ts'
import { queryClient, useApi } from '../../api/use-api.ts'
import { AGENT_WORK, BUFFER, makeTreasury, treasuryOf } from '../../lib/sandbox/agent-treasury.ts'
import { SmallTable } from '../../parts/tables/small-table.tsx'
import { Facts, Money, Status } from '../../parts/values.tsx'
import { type ListedOperation, operationColumns } from '../operations/operation-columns.tsx'
import { Buffer } from '../wallets/buffer.tsx'
import { Requests } from './requests.tsx'
import { useRecorded, writesOf } from './use-recorded.ts'
import { WaitsForYou } from './waits-for-you.tsx'

/** Processes emit no events. */
const LOOK_MS = 2_000
const SHOWN_OPERATIONS = 5

/** Everything here is read from the service: the agent works without this tab, and another tab shows the same. */
export function AgentTreasury() {
  const agents = useApi<Schema<'SandboxAgent'>[]>(SANDBOX_AGENTS)
  const work = useApi<Data<'listCustodyActions'>>(AGENT_WORK)
  const found = agents.data && work.data && treasuryOf(agents.data.data, work.data.data.actions)
  const walletId = found?.action?.orgWalletId
  const wallet = useApi<Schema<'OperationalWallet'>[]>(walletId ? `${MONITORED}?orgWalletId=${walletId}` : null)
  const treasury = walletId ? wallet.data?.data[0] : undefined
  useInterval(
    () => {
      for (const path of [SANDBOX_AGENTS, AGENT_WORK]) void queryClient.invalidateQueries({ queryKey: [path] })
    },
    LOOK_MS,
    { autoInvoke: true },
  )
  if (agents.data === undefined || work.data === undefined) return null
  return (
    <Stack gap="sm">
      {treasury && found ? (
        <Running agent={found.agent} wallet={treasury} />
      ) : (
        <Begin isBegun={found?.action !== undefined} />
      )}
    </Stack>
  )
}

function Begin({ isBegun }: { readonly isBegun: boolean }) {
  const { busy, problem, record } = useRecorded()
  const [requests, setRequests] = useState<readonly SentRequest[]>([])
  const begin = async () => {
    setRequests(writesOf(await record(makeTreasury)))
    void queryClient.invalidateQueries()
  }
  return (
    <>
      <Text size="sm">
        The sandbox starts an agent, which creates a wallet with its own key. The faucet gives it 100,000 USDC, of which{' '}
        {BUFFER} stay liquid. The agent keeps running when this tab is closed. In production you run{' '}
        <Code>weir agent</Code> next to your keys: Weir has none.
      </Text>
      {problem && (
        <Alert color="red" role="alert">
          {problem}
        </Alert>
      )}
      <Group>
        <Button loading={busy} onClick={() => void begin()}>
          {isBegun ? 'Finish the treasury' : 'Let the sandbox run an agent'}
        </Button>
      </Group>
      {requests.length > 0 && <Requests list={requests} />}
    </>
  )
}

interface RunningProps {
  readonly agent: Schema<'SandboxAgent'>
  readonly wallet: Schema<'OperationalWallet'>
}

function Running({ agent, wallet }: RunningProps) {
  const of = `opWalletId=${wallet.id}&limit=${SHOWN_OPERATIONS}&offset=0`
  const queue = useApi<Data<'getOperationQueue'>>(`${QUEUE}?${of}`)
  const history = useApi<Data<'getOperationHistory'>>(`${HISTORY}?${of}`)
  const operations: readonly ListedOperation[] = [
    ...(queue.data?.data.intents ?? []),
    ...(history.data?.data.items ?? []),
  ]
  return (
    <>
      <div role="status">
        <Facts
          items={[
            [`Agent ${agent.id}`, <Status key="state" value={agent.state} />],
            ['Liquid', <Money key="liquid" amount={wallet.availableBalance} token={wallet.token} />],
            ['Deployed', <Money key="deployed" amount={wallet.deployedBalance} token={wallet.token} strong />],
          ]}
        />
      </div>
      {agent.state === 'stopped' && <Alert>The key of this agent was revoked: nobody signs for the wallet.</Alert>}
      <WaitsForYou opWalletId={wallet.id} />
      {operations.length === 0 ? (
        <Text size="sm">The agent waits for Weir to plan.</Text>
      ) : (
        <SmallTable label="What the agent does" rows={operations} columns={operationColumns} id={({ id }) => id} />
      )}
      <Buffer key={wallet.id} wallet={wallet} />
      <Text size="sm">
        <Anchor component={Link} to={'/app/wallets' as never} search={{ open: wallet.id } as never} underline="always">
          Open the wallet
        </Anchor>
        , or stop the agent among the{' '}
        <Anchor component={Link} to={'/app/sandbox' as never} underline="always">
          sandbox tools
        </Anchor>
        .
      </Text>
    </>
  )
}
