import { Stack, Text, Title } from '@mantine/core'
import type { Schema } from '../../api/types.ts'
import { useApi } from '../../api/use-api.ts'
import { Transaction } from './transaction.tsx'

/** The bytes to sign, decoded here, with the hash that this browser computes: compare it with what the signer shows. */
export function Bytes({ operation }: { readonly operation: Schema<'CoreOperation'> }) {
  const client = useApi<Schema<'Operation'>>(`/v1/operations/${operation.id}`)
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
