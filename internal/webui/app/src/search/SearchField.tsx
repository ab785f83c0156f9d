import { TextInput } from '@mantine/core';
import { Search } from 'lucide-react';
import { useEffect, useState, type FormEvent } from 'react';
import { useNavigate } from 'react-router';
import { explorePath } from '../explore/url';

/** Searches the whole database. Enter replaces the list with the results. */
export function SearchField({ words }: { words: string }) {
  const navigate = useNavigate();
  const [text, setText] = useState(words);
  useEffect(() => setText(words), [words]);
  function submit(event: FormEvent) {
    event.preventDefault();
    void navigate(explorePath({ searchText: text.trim() }));
  }
  return (
    <form role="search" onSubmit={submit}>
      <TextInput
        size="xs"
        placeholder="Search the graph"
        aria-label="Search the graph"
        leftSection={<Search size={14} />}
        leftSectionWidth={27}
        value={text}
        onChange={(e) => setText(e.currentTarget.value)}
        maxLength={500}
      />
    </form>
  );
}
