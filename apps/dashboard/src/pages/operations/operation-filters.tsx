import { Button, Collapse, Group, Stack } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { WALLETS } from '../../api/paths.ts'
import type { Schema } from '../../api/types.ts'
import { beginningOf, dayOf, endOf, today } from '../../lib/dates/as-of.ts'
import { TOKENS } from '../../lib/money/tokens.ts'
import { numberOf, textOf, type UrlState, useUrl, withQuery } from '../../lib/page/use-url.ts'
import { SearchSelect } from '../../parts/forms/search-select.tsx'
import { UrlDay } from '../../parts/tables/url-day.tsx'
import { UrlFilter } from '../../parts/tables/url-filter.tsx'
import { UrlSearch } from '../../parts/tables/url-search.tsx'
import { walletChoice } from '../../parts/treasury/wallet-choices.ts'

const TYPES = ['SUPPLY', 'UNWIND']
const MORE = ['wallet', 'token', 'from', 'to', 'hash'] as const

/** What the address holds no longer when another list is shown. */
export const WITHOUT_FILTER = {
  offset: undefined,
  status: undefined,
  type: undefined,
  ...Object.fromEntries(MORE.map((name) => [name, undefined])),
}

/** The path of a list of operations as the address filters it. `states` are those that the list has. */
export function filtered(path: string, url: UrlState, states: readonly string[]): string {
  const from = dayOf(url.from, today())
  const to = dayOf(url.to, today())
  return withQuery(path, {
    status: states.find((each) => each === url.status),
    type: TYPES.find((each) => each === url.type),
    orgWalletId: numberOf(url.wallet),
    token: TOKENS.find((each) => each === url.token),
    from: from && beginningOf(from),
    until: to && endOf(to),
    txHash: textOf(url.hash),
  })
}

/** The filters of a list of operations; the service applies them, and a link carries them. */
export function OperationFilters({ states }: { readonly states: readonly string[] }) {
  const [url, setUrl] = useUrl()
  const isUsed = MORE.some((name) => url[name] !== undefined)
  const [opened, { toggle }] = useDisclosure(isUsed)
  const wallet = numberOf(url.wallet)
  return (
    <Stack gap="xs" px="md" pb="xs" className="no-print">
      <Group gap="xs">
        <UrlFilter label="State" placeholder="All states" choices={states} name="status" w={170} />
        <UrlFilter label="Type" placeholder="Both types" choices={TYPES} name="type" w={130} />
        <Button size="xs" variant="subtle" color="gray" onClick={toggle} aria-expanded={opened}>
          {opened ? 'Fewer filters' : 'More filters'}
        </Button>
      </Group>
      <Collapse expanded={opened}>
        <Group gap="xs">
          <SearchSelect<Schema<'OrgWallet'>>
            label="Wallet"
            placeholder="All wallets"
            isFilter
            size="xs"
            w={220}
            path={WALLETS}
            choiceOf={walletChoice}
            rowPath={wallet === undefined ? undefined : `${WALLETS}/${wallet}`}
            value={wallet === undefined ? null : String(wallet)}
            onChange={(next) => setUrl({ wallet: next ?? undefined, offset: undefined })}
          />
          <UrlFilter
            label="Token"
            placeholder="All tokens"
            choices={TOKENS}
            name="token"
            labelOf={(each) => each}
            w={130}
          />
          <UrlDay label="From" of="when it was planned" name="from" />
          <UrlDay label="To" of="when it was planned" name="to" />
          <UrlSearch label="Hash of a transaction" name="hash" w={200} />
        </Group>
      </Collapse>
    </Stack>
  )
}
