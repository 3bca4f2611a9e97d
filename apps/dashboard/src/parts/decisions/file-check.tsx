import { Button, FileButton, Group, Text } from '@mantine/core'
import { useState } from 'react'
import { sha256 } from '../../lib/proofs/sha256.ts'
import { Hash } from '../values.tsx'

/** The hash of the file behind a decision, and whether another file is the same one. */
export function FileCheck({ hash }: { readonly hash: string }) {
  const [verdict, setVerdict] = useState<string>()
  const check = async (file: File | null) => {
    if (file === null) return
    // No hashes without https.
    const found = await sha256(file).catch(() => undefined)
    if (found === undefined) return setVerdict(`This browser could not hash ${file.name}.`)
    setVerdict(found === hash ? `${file.name} is the same file.` : `${file.name} is a different file.`)
  }
  return (
    <Group gap={6}>
      <Text size="sm">
        File <Hash value={hash} length={10} />
      </Text>
      <FileButton onChange={(file) => void check(file)}>
        {(props) => (
          <Button {...props} size="compact-xs" variant="subtle" color="gray" className="no-print">
            Compare a file
          </Button>
        )}
      </FileButton>
      <Text size="sm" role="status">
        {verdict}
      </Text>
    </Group>
  )
}
