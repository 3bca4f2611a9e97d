import { Alert, Card, Code, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Schema } from '../../api/types.ts'
import { fromBaseUnits, grouped } from '../../lib/money/money.ts'
import type { Argument } from '../../lib/transactions/decode.ts'
import { Facts, Hash, Money } from '../../parts/values.tsx'
import { keyOf, type NamedAddresses } from './named-addresses.ts'

type Operation = Pick<Schema<'CoreOperation'>, 'opWallet' | 'token'>

interface Props {
  readonly call: Schema<'PlannedCall'>
  readonly operation: Operation
  readonly names: NamedAddresses
  /** Facts that follow those of the call. */
  readonly more?: readonly (readonly [string, React.ReactNode])[]
}

/** One call of a contract or a program, decoded here; the libraries for it load only now. */
export function Call({ call, operation, names, more = [] }: Props) {
  const { contract, value, accounts, data } = call
  const chain = operation.opWallet.blockchain
  const decoded = useQuery({
    queryKey: ['decode', contract, data, accounts],
    queryFn: async () => {
      if (accounts === undefined) {
        const { signature, args } = (await import('../../lib/transactions/decode.ts')).decodeCall(data)
        return { program: undefined, name: signature, args, roles: [] }
      }
      const { decodeInstruction } = await import('../../lib/transactions/decode-solana.ts')
      const { program, name, args, accounts: named } = decodeInstruction({ contract, accounts, data })
      return { program, name, args, roles: named.map(({ role }) => role) }
    },
    staleTime: Number.POSITIVE_INFINITY,
  })
  const { program, name, args = [], roles = [] } = decoded.data ?? {}
  const addressOf = (address: string) => <Hash value={address} label={names.get(keyOf(address))} chain={chain} />
  return (
    <Card withBorder padding="sm">
      <Stack gap="xs">
        {decoded.data && name === undefined && (
          <Alert color="yellow" title="Unknown call">
            This page cannot decode this call to the contract. Approve only if you know what it does.
          </Alert>
        )}
        {value !== undefined && value !== '0' && (
          <Alert color="red" role="alert">
            It sends {value} of the chain's own coins, in their smallest unit.
          </Alert>
        )}
        <Facts
          items={[
            [program ?? 'Contract', <span key="c">{addressOf(contract)}</span>],
            ...(name === undefined
              ? []
              : [
                  [
                    'Function',
                    <Text key="f" span size="sm" ff="monospace" className="breaks">
                      {name}
                    </Text>,
                  ] as const,
                ]),
            ...args.map((argument) => [argument.name, shown(argument, operation, addressOf)] as const),
            ...more,
          ]}
        />
        {accounts !== undefined && accounts.length > 0 && (
          <details>
            <summary>
              <Text span size="sm">
                {accounts.length} accounts with their roles
              </Text>
            </summary>
            <ol className="accounts">
              {accounts.map(({ address, signer, writable }, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: accounts have an order, and one may come twice.
                <li key={at}>
                  <Text span size="sm">
                    {[roles[at] ?? 'account', signer && 'signs', writable && 'may change'].filter(Boolean).join(', ')}
                  </Text>{' '}
                  {addressOf(address)}
                </li>
              ))}
            </ol>
          </details>
        )}
        <details>
          <summary>
            <Text span size="sm">
              Call data
            </Text>
          </summary>
          <Code block tabIndex={0} className="curl" mt="xs" aria-label="Call data">
            {data}
          </Code>
        </details>
      </Stack>
    </Card>
  )
}

function shown({ kind, value }: Argument, { token }: Operation, addressOf: (address: string) => React.ReactNode) {
  if (kind === 'address') return <span key={value}>{addressOf(value)}</span>
  if (kind === 'everything') return 'everything (the largest number)'
  if (kind === 'amount') return <Money key={value} amount={fromBaseUnits(value, token.decimals)} token={token.symbol} />
  return /^\d+$/.test(value) ? <span className="figures">{grouped(value).slice(0, -3)}</span> : value
}
