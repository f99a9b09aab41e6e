#!/usr/bin/env ruby
require "fileutils"
require "json"
FileUtils.mkdir_p("tmp/seed")
users = (1..10).map { |n| { id: n, name: "user-#{n}" } }
File.write("tmp/seed/users.json", JSON.dump(users))
system("bin/rails", "db:seed")
FileUtils.rm_rf("tmp/seed")
