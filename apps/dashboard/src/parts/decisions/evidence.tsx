import { Anchor, Text } from '@mantine/core'
import type { Schema } from '../../api/types.ts'
import { FileCheck } from './file-check.tsx'

type Given = Pick<Schema<'OperationDecision'>, 'reason' | 'link' | 'fileSha256'>

/** Why a member decided so, and where the evidence is. */
export function Evidence({ reason, link, fileSha256 }: Given) {
  return (
    <>
      {reason !== undefined && (
        <Text size="sm" className="said">
          {reason}
        </Text>
      )}
      {link !== undefined && (
        <Anchor href={link} target="_blank" rel="noreferrer" size="sm" className="breaks">
          {link}
        </Anchor>
      )}
      {fileSha256 !== undefined && <FileCheck hash={fileSha256} />}
    </>
  )
}
