import { Code, Stack, Text } from '@mantine/core'
import type { Schema } from '../../api/types.ts'
import { useApi } from '../../api/use-api.ts'
import { usePaging, useUrl } from '../../lib/page/use-url.ts'
import { Drawer } from '../../parts/dialogs.tsx'
import { Empty, Section } from '../../parts/frame/page.tsx'
import { columnsFor } from '../../parts/tables/columns.tsx'
import { bare, DataTable, paged } from '../../parts/tables/data-table.tsx'
import { SmallTable } from '../../parts/tables/small-table.tsx'
import { useRow } from '../../parts/tables/use-row.ts'
import { Facts, Hash, Time, words } from '../../parts/values.tsx'

type KeyError = Schema<'KeyError'>

const ERRORS = '/api/core/apikeys/errors'
const { hash, shown, text, time } = columnsFor<KeyError>()
const issueColumns = columnsFor<KeyError['issues'][number]>()
const idOf = ({ keyId, method, route, code }: KeyError) => `${keyId} ${method} ${route} ${code}`

/** What goes wrong with the requests of the organization's keys, grouped, with the latest request of each group. */
export function KeyErrors() {
  const [url, setUrl] = useUrl()
  const paging = usePaging()
  const errors = useApi<KeyError[]>(paged(ERRORS, paging.offset))
  const { row: open, isGone } = useRow(
    ERRORS,
    errors.data?.data,
    url.open === undefined ? undefined : (each: KeyError) => idOf(each) === url.open,
  )
  return (
    <Section title="API key errors" pad={false}>
      <DataTable
        label="API key errors"
        path={ERRORS}
        query={errors}
        rows={bare}
        id={idOf}
        {...paging}
        onOpen={(row) => setUrl({ open: idOf(row) })}
        columns={[
          shown(
            'Request',
            ({ method, route }) => (
              <Text size="sm" ff="monospace" style={{ overflowWrap: 'anywhere' }}>
                {method} {route}
              </Text>
            ),
            ({ method, route }) => `${method} ${route}`,
          ),
          shown(
            'Error',
            ({ status, code }) => (
              <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
                {status} {words(code)}
              </Text>
            ),
            'code',
          ),
          text('Key', 'keyName', { wide: true }),
          text('Times', 'count', { right: true }),
          hash('Latest request', 'requestId', { wide: true }),
          time('Latest', 'lastAt', { wide: true }),
        ]}
        empty={
          <Empty title="No request failed">
            Failed requests of your API keys are counted here for 30 days, with what they sent.
          </Empty>
        }
      />
      <Drawer
        opened={open !== undefined || isGone}
        onClose={() => setUrl({ open: undefined })}
        title="API key error"
        size="lg"
      >
        {open && <Detail error={open} />}
        {isGone && <Empty title="There is no such error">It has not recurred for 30 days, or the link is wrong.</Empty>}
      </Drawer>
    </Section>
  )
}

function Detail({ error }: { readonly error: KeyError }) {
  const { method, route, status, code, keyName, count, firstAt, lastAt, requestId, reason, issues, sent } = error
  return (
    <Stack gap="lg">
      <Facts
        items={[
          ['Request', `${method} ${route}`],
          ['Error', `${status} ${code}`],
          ...(reason === null ? [] : [['Reason', words(reason)] as const]),
          ['Key', keyName],
          ['Times', count],
          ['First', <Time key="f" iso={firstAt} />],
          ['Latest', <Time key="l" iso={lastAt} />],
          ['Latest request', <Hash key="r" value={requestId} length={8} />],
        ]}
      />
      {issues.length > 0 && (
        <SmallTable
          label="What was invalid"
          rows={issues}
          id={({ path, message }) => `${path} ${message}`}
          columns={[issueColumns.text('Field', 'path'), issueColumns.text('Problem', 'message')]}
        />
      )}
      <Stack gap={4}>
        <Text size="sm" fw={500}>
          What the latest request sent
        </Text>
        <Text size="xs" c="dimmed">
          IDs, amounts and enum values are shown as sent; of other text, only the length is kept.
        </Text>
        <Code block tabIndex={0} className="curl" aria-label="What was sent">
          {Object.keys(sent).length === 0 ? 'Nothing except the path.' : JSON.stringify(sent, null, 2)}
        </Code>
      </Stack>
    </Stack>
  )
}
