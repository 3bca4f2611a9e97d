import { FileInput } from '@mantine/core'
import { useRef, useState } from 'react'
import { sha256 } from '../../lib/proofs/sha256.ts'

/** The whole of it is read into memory. */
const FILE_BYTES_MAX = 200_000_000

interface Props {
  /** Gets null while a file is chosen whose hash is not known, and an empty text without a file. */
  readonly onHash: (hash: string | null) => void
}

/** Takes the hash of a file. The file stays on this machine. */
export function FileHash({ onHash }: Props) {
  const [file, setFile] = useState<File | null>(null)
  const [problem, setProblem] = useState<string>()
  const chosen = useRef<File | null>(null)
  const choose = async (next: File | null) => {
    chosen.current = next
    setFile(next)
    setProblem(undefined)
    onHash(next === null ? '' : null)
    if (next === null) return
    if (next.size > FILE_BYTES_MAX) return setProblem('Choose a file of at most 200 MB')
    // No hashes without https, and no file that vanished meanwhile.
    const hash = await sha256(next).catch(() => undefined)
    if (chosen.current !== next) return
    if (hash === undefined) setProblem('This browser could not read the file, or cannot compute hashes on this page.')
    else onHash(hash)
  }
  return (
    <FileInput
      label="File that supports your decision"
      description="Optional. It stays on this device: only its SHA-256 is kept, which proves later that a file is the same."
      placeholder="Choose a file"
      clearable
      clearButtonProps={{ 'aria-label': 'Remove the file' }}
      value={file}
      error={problem}
      onChange={(next) => void choose(next)}
    />
  )
}
