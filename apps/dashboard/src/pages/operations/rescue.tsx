import { Button, CopyButton, Group, Stack, Text, TextInput, Title } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type ApiError, send } from '../../api/client.ts'
import { useMay } from '../../api/session.tsx'
import type { Schema } from '../../api/types.ts'
import { useAction } from '../../api/use-api.ts'
import { useUrl } from '../../lib/page/use-url.ts'
import { Curl } from '../../parts/curl.tsx'
import { Problem } from '../../parts/frame/page.tsx'
import { CancelOperation, cancellation } from './cancel-operation.tsx'
import { FINISHED } from './finished.ts'
import { Transaction } from './transaction.tsx'

type Renewed = Schema<'UnsignedTransaction'>

/** Cancel, and recover by a hash that was sent elsewhere. */
export function Rescue({ operation }: { readonly operation: Schema<'CoreOperation'> }) {
  const may = useMay()
  const [hash, setHash] = useState('')
  const [cancelling, setCancelling] = useState(false)
  const recover = useAction('The service looks for this transaction on the chain.')
  const client = useQueryClient()
  const [renewed, setRenewed] = useState<readonly Renewed[]>()
  const [problem, setProblem] = useState<ApiError>()
  const place = usePlace()
  const [isReading, setIsReading] = useState(false)
  const recovery = {
    method: 'POST',
    path: `/v1/transactions/${operation.id}/recover`,
    body: { txHash: hash.trim() },
  } as const
  const renewal = { method: 'GET', path: `/v1/operations/${operation.id}/unsigned-transactions` } as const
  if (!may.administer || operation.executor !== 'client' || FINISHED.has(operation.status)) return null
  const fresh = async () => {
    setProblem(undefined)
    setRenewed(undefined)
    setIsReading(true)
    try {
      setRenewed((await send<readonly Renewed[]>(renewal.method, renewal.path)).data)
      // What is decoded above was read before.
      await client.invalidateQueries()
    } catch (error) {
      setProblem(error as ApiError)
    }
    setIsReading(false)
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
          {...place('hash')}
        />
        <Button
          variant="default"
          disabled={hash.trim() === ''}
          loading={recover.isPending}
          onClick={() => recover.mutate(recovery)}
        >
          Recover
        </Button>
        <Curl {...recovery} />
      </Group>
      <Group gap="xs">
        <Button variant="default" loading={isReading} onClick={() => void fresh()} {...place('bytes')}>
          Get new bytes
        </Button>
        <Curl {...renewal} />
        <Button variant="default" color="red.9" onClick={() => setCancelling(true)}>
          Cancel the operation
        </Button>
        <Curl {...cancellation(operation.id)} />
      </Group>
      {cancelling && <CancelOperation id={operation.id} onClose={() => setCancelling(false)} />}
      {problem && <Problem error={problem} />}
      {renewed?.length === 0 && (
        <Text size="sm" role="status">
          Nothing is left to sign.
        </Text>
      )}
      {renewed?.map(({ attemptId, description, unsignedTransaction }) => (
        <Stack key={attemptId} gap="xs" component="section" aria-label={`New bytes: ${description}`}>
          <Transaction description={description} bytes={unsignedTransaction.serialized} operation={operation} />
          <CopyButton value={unsignedTransaction.serialized}>
            {({ copied, copy }) => (
              <Button size="xs" variant="default" onClick={copy} style={{ alignSelf: 'flex-start' }}>
                {copied ? 'Copied' : 'Copy the bytes'}
              </Button>
            )}
          </CopyButton>
        </Stack>
      ))}
    </Stack>
  )
}

/** A panel that does not have the keyboard yet finds by itself what should get it, and remembers where it was. */
function focus(element: HTMLElement | null): void {
  if (element?.closest('[role=dialog]')?.contains(document.activeElement)) element.focus()
}

/** Gives the keyboard to what somebody came for, whether the panel opens before its content is read or with it. */
function usePlace() {
  const [url] = useUrl()
  return (place: 'hash' | 'bytes') => (url.place === place ? { ref: focus, 'data-autofocus': true } : {})
}
