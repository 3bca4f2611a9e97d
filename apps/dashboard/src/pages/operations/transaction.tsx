import { Alert, Card, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Schema } from '../../api/types.ts'
import { fromBaseUnits } from '../../lib/money.ts'
import { Facts, Hash, Money } from '../../parts/values.tsx'

export function Transaction({
  description,
  bytes,
  isEvm,
  token,
}: {
  readonly description: string
  readonly bytes: string
  readonly isEvm: boolean
  readonly token: Schema<'CoreOperation'>['token']
}) {
  const decoded = useQuery({
    queryKey: ['decode', bytes],
    queryFn: async () => (await import('../../lib/decode.ts')).decodeEvm(bytes),
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
