import { APPROVAL_POLICY } from '../../api/paths.ts'
import type { Data, Schema } from '../../api/types.ts'
import { useApi } from '../../api/use-api.ts'
import { usePaging } from '../../lib/page/use-url.ts'
import { Empty, Loaded, Page, Section } from '../../parts/frame/page.tsx'
import { columnsFor } from '../../parts/tables/columns.tsx'
import { DataTable, paged } from '../../parts/tables/data-table.tsx'
import { words } from '../../parts/values.tsx'
import type { Version } from './draft.ts'
import { Editor } from './editor.tsx'

const { shown, text, time } = columnsFor<Schema<'ApprovalPolicyVersion'>>()

export function Policy() {
  const policy = useApi<Version>(APPROVAL_POLICY)
  const paging = usePaging('versionsOffset')
  const history = useApi<Data<'listApprovalPolicyChanges'>>(paged(`${APPROVAL_POLICY}/history`, paging.offset))
  return (
    <Page title="Approval policy" description="Which operations need how many people before the agent may sign">
      <Loaded query={policy} height={420}>
        {(current) => <Editor current={current} />}
      </Loaded>
      <Section title="Versions" pad={false}>
        <DataTable
          label="Versions"
          path={`${APPROVAL_POLICY}/history`}
          query={history}
          rows={({ changes, pagination }) => ({ items: changes, total: pagination.total })}
          id={({ version }) => version}
          {...paging}
          columns={[
            text('Version', 'version'),
            shown('Mode', ({ mode }) => words(mode), 'mode'),
            text('Rules', ({ rules }) => rules.length, { right: true, wide: true }),
            text('Approvals', 'requiredApprovals', { right: true, wide: true }),
            shown(
              'By',
              ({ updatedBy }) => updatedBy?.email ?? '–',
              ({ updatedBy }) => updatedBy?.email ?? '',
              { wide: true },
            ),
            time('Since', 'updatedAt'),
          ]}
          empty={
            <Empty title="The first version is in force">Every operation proceeds until somebody sets a policy.</Empty>
          }
        />
      </Section>
    </Page>
  )
}
