import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  plugins: [react()],
  base: './', // the service replaces it by the path under which it is reached
  build: {
    outDir: '../dist',
    emptyOutDir: true,
    target: 'es2022',
    // Inline data would need exceptions in the content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 900,
  },
  // A busy machine is slow, which says nothing about the code.
  test: { environment: 'node', include: ['src/**/*.test.ts', 'src/**/*.test.tsx'], testTimeout: 120_000 },
});
