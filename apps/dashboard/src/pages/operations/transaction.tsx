import { Alert, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Schema } from '../../api/types.ts'
import { Facts, Hash } from '../../parts/values.tsx'
import { Call } from './call.tsx'
import { namesIn } from './named-addresses.ts'

interface Props {
  readonly description: string
  readonly bytes: string
  readonly operation: Schema<'CoreOperation'>
}

interface Read {
  readonly calls: readonly Schema<'PlannedCall'>[]
  readonly facts: readonly (readonly [string, string])[]
  /** What a signer of these bytes signs. */
  readonly hash: string
}

/** The bytes that a client signs, decoded here, with the hash to compare with what the signer shows. */
export function Transaction({ description, bytes, operation }: Props) {
  const isSolana = operation.opWallet.blockchain === 'SOLANA'
  const read = useQuery<Read>({
    queryKey: ['decode', bytes],
    queryFn: () => (isSolana ? readSolana(bytes) : readEvm(bytes)),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  const names = namesIn(operation)
  return (
    <Stack gap="xs">
      <Text size="sm" fw={500}>
        {description}
      </Text>
      {read.data?.calls.map((call, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the calls of a transaction have an order and never move.
        <Call key={at} call={call} operation={operation} names={names} />
      ))}
      {read.data && (
        <Facts
          items={[
            ...read.data.facts,
            ['Hash to sign, computed here', <Hash key="h" value={read.data.hash} length={12} />],
          ]}
        />
      )}
      {read.error && (
        <Alert color="red">These bytes are not a transaction that this browser can read. Do not sign them.</Alert>
      )}
    </Stack>
  )
}

async function readEvm(bytes: string): Promise<Read> {
  const { to, value, data, chainId, nonce, signingHash } = (await import('../../lib/transactions/decode.ts')).decodeEvm(
    bytes,
  )
  return {
    calls: [{ contract: to, value: String(value), data }],
    facts: [
      ['Chain ID', String(chainId ?? '–')],
      ['Nonce', String(nonce ?? '–')],
    ],
    hash: signingHash,
  }
}

async function readSolana(bytes: string): Promise<Read> {
  const { instructions, blockhash, signingHash } = await (
    await import('../../lib/transactions/solana-message.ts')
  ).decodeSolana(bytes)
  return {
    calls: instructions.map(({ contract, accounts, data }) => ({ contract, accounts: [...accounts], data })),
    facts: [['Blockhash', blockhash]],
    hash: signingHash,
  }
}
