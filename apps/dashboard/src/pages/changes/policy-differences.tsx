import { Alert } from '@mantine/core'
import { APPROVAL_POLICY } from '../../api/paths.ts'
import { useApi } from '../../api/use-api.ts'
import { Loaded } from '../../parts/frame/page.tsx'
import { contentOf, differences, type PolicyContent, type Version } from '../policy/draft.ts'

/** What a requested policy would change of the one in force, a line each. */
export function PolicyDifferences({ requested }: { readonly requested: PolicyContent }) {
  const inForce = useApi<Version>(APPROVAL_POLICY)
  return (
    <Loaded query={inForce} height={96}>
      {(current) => {
        const lines = differences(contentOf(current), contentOf(requested))
        return (
          <Alert title={`Changes from version ${current.version}, which is in force`} color="yellow">
            {lines.length === 0 ? (
              'None: this policy is in force already.'
            ) : (
              <ul>
                {lines.map((line) => (
                  <li key={line}>{line}</li>
                ))}
              </ul>
            )}
          </Alert>
        )
      }}
    </Loaded>
  )
}
