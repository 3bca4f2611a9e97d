import { Button, Group, Stack, Text, TextInput, Title } from '@mantine/core'
import { useState } from 'react'
import { type Answer, type ApiError, send } from '../../api/client.ts'
import { useMay } from '../../api/session.tsx'
import type { Schema } from '../../api/types.ts'
import { useAction } from '../../api/use-api.ts'
import { Curl } from '../../parts/curl.tsx'
import { FINISHED } from './finished.ts'

/** Cancel, and recover by a hash that was sent elsewhere. */
export function Rescue({ operation }: { readonly operation: Schema<'CoreOperation'> }) {
  const may = useMay()
  const [hash, setHash] = useState('')
  const cancel = useAction('Operation cancelled.')
  const recover = useAction('The service looks for this transaction on the chain.')
  const [bytes, setBytes] = useState<string>()
  const recovery = {
    method: 'POST',
    path: `/v1/transactions/${operation.id}/recover`,
    body: { txHash: hash.trim() },
  } as const
  const renewal = { method: 'GET', path: `/v1/operations/${operation.id}/unsigned-transactions` } as const
  const cancellation = { method: 'POST', path: `/v1/operations/${operation.id}/cancel`, body: {} } as const
  if (!may.administer || operation.executor !== 'client' || FINISHED.has(operation.status)) return null
  const fresh = async () => {
    const answer: Answer<{ unsignedTransaction: { serialized: string } }[]> | ApiError = await send<
      { unsignedTransaction: { serialized: string } }[]
    >(renewal.method, renewal.path).catch((error: ApiError) => error)
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
        <Button variant="default" disabled={hash.trim() === ''} onClick={() => recover.mutate(recovery)}>
          Recover
        </Button>
        <Curl {...recovery} />
      </Group>
      <Group gap="xs">
        <Button variant="default" onClick={() => void fresh()}>
          Get new bytes
        </Button>
        <Curl {...renewal} />
        <Button variant="default" color="red.9" onClick={() => cancel.mutate(cancellation)}>
          Cancel the operation
        </Button>
        <Curl {...cancellation} />
      </Group>
      {bytes !== undefined && (
        <Text size="xs" ff="monospace" style={{ overflowWrap: 'anywhere' }} tabIndex={0}>
          {bytes}
        </Text>
      )}
    </Stack>
  )
}
