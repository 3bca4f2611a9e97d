import { Alert, Anchor, Button, Card, Group, Stack, Table, Text, TextInput, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { type Answer, type ApiError, send } from '../api/client.ts'
import { useMay } from '../api/session.tsx'
import type { Actor, OperationDetail } from '../api/types.ts'
import { useAction, useApi } from '../api/use-api.ts'
import { fromBaseUnits } from '../lib/money.ts'
import { Curl } from '../parts/curl.tsx'
import { Loaded } from '../parts/page.tsx'
import { chainName, Facts, Hash, Money, Status, Time, words } from '../parts/values.tsx'
import { Decide } from './operations.tsx'

const FINISHED = new Set(['COMPLETED', 'FAILED', 'REJECTED', 'ABORTED'])

interface ClientOperation {
  readonly status: string
  readonly transactions: readonly {
    readonly id: number
    readonly blockchain: string
    readonly description: string
    readonly unsignedTransaction?: string
    readonly status: string
    readonly txHash?: string
  }[]
}
interface AuditEntry {
  readonly id: number
  readonly at: string
  readonly actor: Actor
  readonly action: string
}

/** One operation: why it exists, who must say yes, what would be signed, and what has happened. */
export function OperationPanel({ id }: { readonly id: number }) {
  const path = `/api/core/operations/${id}`
  const detail = useApi<OperationDetail>(path)
  const may = useMay()
  return (
    <Loaded query={detail} height={480}>
      {(operation) => (
        <Stack gap="lg">
          <Facts
            items={[
              ['State', <Status key="s" value={operation.status} />],
              [
                words(operation.type),
                <Money key="m" amount={operation.amount.amount} token={operation.amount.currency} strong />,
              ],
              ['Strategy', `${operation.strategy.name} at ${operation.strategy.estimatedAPY}`],
              ['Wallet', <Hash key="w" value={operation.opWallet.address} />],
              ['Chain', chainName(operation.opWallet.blockchain)],
              ['Planned by', by(operation.origin, operation.requestedBy)],
              ['Signed by', words(operation.executor)],
            ]}
          />
          {(operation.failureReason ?? operation.pausedBecause) && (
            <Alert color={operation.failureReason ? 'red' : 'yellow'}>
              {operation.failureReason ?? operation.pausedBecause}
            </Alert>
          )}
          <Approval operation={operation} canReadLog={may.administer} />
          <Reasons operation={operation} />
          {!FINISHED.has(operation.status) && <Bytes operation={operation} />}
          <Timeline operation={operation} />
          <Rescue operation={operation} />
          <Group justify="flex-end">
            <Curl method="GET" path={path} label="This operation as curl" />
          </Group>
        </Stack>
      )}
    </Loaded>
  )
}

function by(origin: string, actor: Actor | null | undefined): string {
  if (actor == null || actor.type === 'system') return words(origin)
  return `${words(origin)}, ${actor.type === 'user' ? 'member' : 'key'} ${actor.id}`
}

function Approval({ operation, canReadLog }: { readonly operation: OperationDetail; readonly canReadLog: boolean }) {
  const decisions = useApi<{ entries: AuditEntry[] }>(
    canReadLog && operation.requiredApprovals > 0
      ? `/api/core/audit-log?object=operation:${operation.id}&limit=50&offset=0`
      : null,
  )
  const approved = (decisions.data?.data.entries ?? []).filter(({ action }) => action === 'approveOperation')
  const waits = operation.status === 'PENDING_APPROVAL'
  return (
    <Card withBorder component="section" aria-label="Approval">
      <Stack gap="xs">
        <Title order={3} size="h5">
          Approval
        </Title>
        <Text size="sm">
          {operation.requiredApprovals === 0
            ? 'The approval policy lets this operation proceed.'
            : `${operation.requiredApprovals} ${operation.requiredApprovals === 1 ? 'approval is' : 'approvals are'} required${operation.approvalRule ? ` by the rule “${operation.approvalRule}”` : ' by the default of the policy'}.`}
        </Text>
        {operation.reasons?.policy && (
          <Text size="sm" c="dimmed">
            {operation.reasons.policy}
          </Text>
        )}
        {approved.map((entry) => (
          <Text key={entry.id} size="sm">
            Approved by {entry.actor.name ?? `${entry.actor.type} ${entry.actor.id}`} <Time iso={entry.at} />
          </Text>
        ))}
        {waits && decisions.data && (
          <Text size="sm" fw={500}>
            {Math.max(0, operation.requiredApprovals - approved.length)} still missing
          </Text>
        )}
        {waits && <Decide operation={operation} />}
      </Stack>
    </Card>
  )
}

function Reasons({ operation }: { readonly operation: OperationDetail }) {
  const { reasons } = operation
  if (reasons === null) return null
  return (
    <Stack gap={6} component="section" aria-label="Why">
      <Title order={3} size="h5">
        Why
      </Title>
      <Text size="sm">{reasons.why}</Text>
      {reasons.worth && <Text size="sm">The money at stake: {reasons.worth} USD</Text>}
      {reasons.notes?.map((note) => (
        <Text key={note} size="sm" c="dimmed">
          {note}
        </Text>
      ))}
      {reasons.weighed && reasons.weighed.length > 0 && (
        <Table aria-label="What the planner weighed">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Strategy</Table.Th>
              <Table.Th ta="right">APY</Table.Th>
              <Table.Th>Verdict</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {reasons.weighed.map((each) => (
              <Table.Tr key={each.strategyId}>
                <Table.Td>{each.name}</Table.Td>
                <Table.Td ta="right">{each.apy}</Table.Td>
                <Table.Td>{each.verdict}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
    </Stack>
  )
}

/** The bytes to sign, decoded here, with the hash that this browser computes: compare it with what the signer shows. */
function Bytes({ operation }: { readonly operation: OperationDetail }) {
  const client = useApi<ClientOperation>(`/v1/operations/${operation.id}`)
  const unsigned = (client.data?.data.transactions ?? []).filter(({ unsignedTransaction }) => unsignedTransaction)
  if (unsigned.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        The bytes to sign are built when the agent asks for them, with the nonce and fees of that moment.
      </Text>
    )
  }
  return (
    <Stack gap="sm" component="section" aria-label="What would be signed">
      <Title order={3} size="h5">
        What would be signed
      </Title>
      {unsigned.map((each) => (
        <Transaction
          key={each.id}
          description={each.description}
          bytes={each.unsignedTransaction!}
          isEvm={each.blockchain !== 'solana'}
          token={operation.token}
        />
      ))}
    </Stack>
  )
}

function Transaction({
  description,
  bytes,
  isEvm,
  token,
}: {
  readonly description: string
  readonly bytes: string
  readonly isEvm: boolean
  readonly token: OperationDetail['token']
}) {
  const decoded = useQuery({
    queryKey: ['decode', bytes],
    queryFn: async () => (await import('../lib/decode.ts')).decodeEvm(bytes),
    enabled: isEvm,
    staleTime: Number.POSITIVE_INFINITY,
  })
  return (
    <Card withBorder padding="sm">
      <Stack gap="xs">
        <Text size="sm" fw={500}>
          {description}
        </Text>
        {decoded.data && (
          <Facts
            items={[
              ['Call', decoded.data.call],
              ['Contract', <Hash key="c" value={decoded.data.to} />],
              ['Chain id', String(decoded.data.chainId ?? '–')],
              ['Nonce', String(decoded.data.nonce ?? '–')],
              ...decoded.data.args.map(
                ([name, value]) =>
                  [
                    name,
                    isAmount(name, value) ? (
                      <Money key={name} amount={fromBaseUnits(value, token.decimals)} token={token.symbol} />
                    ) : (
                      <Hash key={name} value={value} />
                    ),
                  ] as const,
              ),
              ['Hash to sign, computed here', <Hash key="h" value={decoded.data.signingHash} length={12} />],
            ]}
          />
        )}
        {decoded.error && (
          <Alert color="red">These bytes are not a transaction that this browser can read. Do not sign them.</Alert>
        )}
        {!isEvm && (
          <Text size="sm" c="dimmed">
            Solana message, {bytes.length} characters: <Hash value={bytes} length={12} />
          </Text>
        )}
      </Stack>
    </Card>
  )
}

const isAmount = (name: string, value: string) => /^(amount|assets)$/.test(name) && /^\d{1,30}$/.test(value)

function Timeline({ operation }: { readonly operation: OperationDetail }) {
  const { timestamps, blockchainTransactions, steps } = operation
  return (
    <Stack gap="sm" component="section" aria-label="Timeline">
      <Title order={3} size="h5">
        Timeline
      </Title>
      <ol className="timeline">
        <li data-done>
          <Text size="sm" fw={500}>
            Planned
          </Text>
          <Text size="sm" c="dimmed">
            {by(operation.origin, operation.requestedBy)}, <Time iso={timestamps.createdAt.iso} />
          </Text>
        </li>
        {operation.requiredApprovals > 0 && (
          <li
            {...(timestamps.approvedAt ? { 'data-done': true } : timestamps.rejectedAt ? { 'data-failed': true } : {})}
          >
            <Text size="sm" fw={500}>
              {timestamps.rejectedAt ? 'Rejected' : timestamps.approvedAt ? 'Approved' : 'Approval missing'}
            </Text>
            <Text size="sm" c="dimmed">
              <Time iso={timestamps.approvedAt?.iso ?? timestamps.rejectedAt?.iso} />
            </Text>
          </li>
        )}
        {steps.map((step, at) => {
          const transaction = blockchainTransactions[at]
          return (
            <li
              key={step.id}
              {...(step.status === 'COMPLETED'
                ? { 'data-done': true }
                : step.status === 'FAILED'
                  ? { 'data-failed': true }
                  : {})}
            >
              <Group gap="xs">
                <Text size="sm" fw={500}>
                  {words(step.type)}
                </Text>
                <Status value={step.status} />
              </Group>
              {transaction && (
                <Text size="sm" c="dimmed" component="div">
                  <Hash value={transaction.txHash} /> seen <Time iso={transaction.timestamps.detectedAt?.iso} />, final{' '}
                  <Time iso={transaction.timestamps.confirmedAt?.iso} />
                </Text>
              )}
              {step.error && (
                <Text size="sm" c="red">
                  {step.error}
                </Text>
              )}
            </li>
          )
        })}
        <li {...(timestamps.completedAt ? { 'data-done': true } : {})}>
          <Text size="sm" fw={500}>
            Settled in the ledger
          </Text>
          <Text size="sm" c="dimmed">
            <Time iso={timestamps.completedAt?.iso} />
          </Text>
        </li>
      </ol>
    </Stack>
  )
}

/** Cancel, and recover by a hash that was sent elsewhere. */
function Rescue({ operation }: { readonly operation: OperationDetail }) {
  const may = useMay()
  const [hash, setHash] = useState('')
  const cancel = useAction('The operation is cancelled.')
  const recover = useAction('The service looks for this transaction on the chain.')
  const [bytes, setBytes] = useState<string>()
  if (!may.administer || operation.executor !== 'client' || FINISHED.has(operation.status)) return null
  const fresh = async () => {
    const answer: Answer<{ unsignedTransaction: { serialized: string } }[]> | ApiError = await send<
      { unsignedTransaction: { serialized: string } }[]
    >('GET', `/v1/operations/${operation.id}/unsigned-transactions`).catch((error: ApiError) => error)
    setBytes(
      'data' in answer
        ? answer.data.map(({ unsignedTransaction }) => unsignedTransaction.serialized).join('\n')
        : answer.message,
    )
  }
  return (
    <Stack gap="sm" component="section" aria-label="Rescue">
      <Title order={3} size="h5">
        If it is stuck
      </Title>
      <Group align="flex-end" gap="xs">
        <TextInput
          label="Hash of a transaction that you sent yourself"
          value={hash}
          onChange={(event) => setHash(event.currentTarget.value)}
          spellCheck={false}
          style={{ flex: 1 }}
        />
        <Button
          variant="default"
          disabled={hash.trim() === ''}
          onClick={() =>
            recover.mutate({
              method: 'POST',
              path: `/v1/transactions/${operation.id}/recover`,
              body: { txHash: hash.trim() },
            })
          }
        >
          Recover
        </Button>
      </Group>
      <Group gap="xs">
        <Button variant="default" onClick={() => void fresh()}>
          Get new bytes
        </Button>
        <Button
          variant="default"
          color="red.9"
          onClick={() => cancel.mutate({ method: 'POST', path: `/v1/operations/${operation.id}/cancel`, body: {} })}
        >
          Cancel the operation
        </Button>
        <Anchor component={Link} to={'/app/activity' as never} search={{ find: operation.id } as never} size="sm">
          Its events
        </Anchor>
      </Group>
      {bytes !== undefined && (
        <Text size="xs" ff="monospace" style={{ overflowWrap: 'anywhere' }} tabIndex={0}>
          {bytes}
        </Text>
      )}
    </Stack>
  )
}
