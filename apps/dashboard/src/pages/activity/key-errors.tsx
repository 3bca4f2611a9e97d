import { Code, Drawer, Stack, Text } from '@mantine/core'
import type { Schema } from '../../api/types.ts'
import { useApi } from '../../api/use-api.ts'
import { usePaging, useUrl } from '../../lib/use-url.ts'
import { columnsFor } from '../../parts/columns.tsx'
import { bare, DataTable, paged } from '../../parts/data-table.tsx'
import { Empty, Section } from '../../parts/page.tsx'
import { SmallTable } from '../../parts/small-table.tsx'
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
  const open = errors.data?.data.find((each) => idOf(each) === url.open)
  return (
    <Section title="Errors of your keys" pad={false}>
      <DataTable
        label="Errors of your keys"
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
            What fails among the requests of your keys is counted here for 30 days, with what was sent.
          </Empty>
        }
      />
      <Drawer opened={open !== undefined} onClose={() => setUrl({ open: undefined })} title="Error of a key" size="lg">
        {open && <Detail error={open} />}
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
          columns={[issueColumns.text('Field', 'path'), issueColumns.text('What is wrong', 'message')]}
        />
      )}
      <Stack gap={4}>
        <Text size="sm" fw={500}>
          What the latest request sent
        </Text>
        <Text size="xs" c="dimmed">
          Ids, amounts and words of small sets as they were sent; of other text only the length is kept.
        </Text>
        <Code block tabIndex={0} className="curl" aria-label="What was sent">
          {Object.keys(sent).length === 0 ? 'Nothing besides the path.' : JSON.stringify(sent, null, 2)}
        </Code>
      </Stack>
    </Stack>
  )
}
