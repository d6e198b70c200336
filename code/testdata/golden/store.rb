# frozen_string_literal: true

require "set"

# Keeps things.
module Keeping
  LIMIT = 10

  # A store of rows.
  class Store < Base
    attr_reader :rows

    # Makes an empty one.
    def initialize(limit: LIMIT)
      @rows = []
      @limit = limit
    end

    def self.open(path)
      File.open(path) do |file|
        new.tap { |store| store.load(file) }
      end
    end

    private

    def load(file)
      file.each_line do |line|
        next if line.strip.empty?
        @rows << line.chomp
      end
    end
  end
end

RSpec.describe Keeping::Store do
  it "is empty at first" do
    expect(described_class.new.rows).to be_empty
  end
end
